module consumer {
  requires io.jvmtools;
}
