package io.jvmtools.neighbour;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker that is its own controller, inside this JVM. */
final class Broker implements AutoCloseable {

  private final String address;
  private final KafkaRaftServer server;

  /** Starts one that keeps its files in a directory. */
  Broker(Path directory) throws IOException {
    String host = hostOfThisProcess();
    address = host + ":9092";
    Properties properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("controller.quorum.voters", "1@" + host + ":9093"),
            Map.entry("listeners", "CLIENTS://" + address + ",CONTROLLER://" + host + ":9093"),
            Map.entry("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT"),
            Map.entry("inter.broker.listener.name", "CLIENTS"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("log.dirs", directory.resolve("data").toString()),
            Map.entry("log.segment.bytes", String.valueOf(16 << 20)),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0")));
    format(directory, properties);
    server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    server.startup();
  }

  /** Where clients find it. */
  String address() {
    return address;
  }

  void createTopic(String name, int partitions) throws Exception {
    try (Admin admin =
        Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, address))) {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** An address of the loopback network that no other process of this machine uses. */
  private static String hostOfThisProcess() {
    long pid = ProcessHandle.current().pid();
    return "127." + (1 + pid / 62_500 % 250) + "." + (1 + pid / 250 % 250) + "." + (1 + pid % 250);
  }

  private static void format(Path directory, Properties properties) throws IOException {
    Path file = directory.resolve("server.properties");
    try (OutputStream out = Files.newOutputStream(file)) {
      properties.store(out, null);
    }
    String[] command = {
      "format", "--config", file.toString(), "--cluster-id", Uuid.randomUuid().toString()
    };
    int status = StorageTool.execute(command, new PrintStream(System.err, true));
    if (status != 0) {
      throw new IllegalStateException("Kafka cannot format " + directory);
    }
  }
}
