// The stem `module`.
#include "oracle.h"

using namespace oracle;

static std::string chars(JNIEnv* jni, jstring name) {
  const char* chars = jni->GetStringUTFChars(name, nullptr);
  std::string copy = chars;
  jni->ReleaseStringUTFChars(name, chars);
  return copy;
}

FUNCTION(getAllModules) {
  jint count = 0;
  jobject* modules = nullptr;
  jvmtiError code = environment(jni, self)->GetAllModules(&count, &modules);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  std::string all = names(jni, modules, count);
  release(modules);
  return text(jni, all);
}

FUNCTION(getNamedModule, jobject loader, jstring package_name) {
  std::string package = chars(jni, package_name);
  jobject module = nullptr;
  jvmtiError code = environment(jni, self)->GetNamedModule(loader, package.c_str(), &module);
  if (code != JVMTI_ERROR_NONE) {
    return answer(jni, code);
  }
  return text(jni, name(jni, module));
}

FUNCTION(addModuleReads, jobject module, jobject to_module) {
  return answer(jni, environment(jni, self)->AddModuleReads(module, to_module));
}

FUNCTION(addModuleExports, jobject module, jstring pkg_name, jobject to_module) {
  std::string package = chars(jni, pkg_name);
  return answer(
      jni, environment(jni, self)->AddModuleExports(module, package.c_str(), to_module));
}

FUNCTION(addModuleOpens, jobject module, jstring pkg_name, jobject to_module) {
  std::string package = chars(jni, pkg_name);
  return answer(jni, environment(jni, self)->AddModuleOpens(module, package.c_str(), to_module));
}

FUNCTION(addModuleUses, jobject module, jclass service) {
  return answer(jni, environment(jni, self)->AddModuleUses(module, service));
}

FUNCTION(addModuleProvides, jobject module, jclass service, jclass impl_class) {
  return answer(jni, environment(jni, self)->AddModuleProvides(module, service, impl_class));
}

FUNCTION(isModifiableModule, jobject module) {
  jboolean modifiable = JNI_FALSE;
  jvmtiError code = environment(jni, self)->IsModifiableModule(module, &modifiable);
  return answer(jni, code, truth(modifiable));
}
