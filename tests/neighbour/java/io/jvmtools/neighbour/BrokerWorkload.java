package io.jvmtools.neighbour;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A message broker with two producers and a group of two consumers. Every message is acknowledged
 * once and read once with the text it was sent with, and none waits for long.
 */
final class BrokerWorkload implements Workload {

  private static final String TOPIC = "messages";
  private static final int PARTITIONS = 6;
  private static final int PAIRS = 2;
  private static final int BURST = 50;
  private static final long BETWEEN_BURSTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LAST_READS = Duration.ofMinutes(1);
  private static final Duration TOO_LONG = Duration.ofSeconds(10);

  private final Results results;
  private final Path directory;
  private final List<Deliveries> deliveries = new ArrayList<>();
  private final List<Thread> producers = new ArrayList<>();
  private final List<Thread> consumers = new ArrayList<>();
  private final Alarm alarm = new Alarm(TOO_LONG);
  private Broker broker;
  private volatile boolean stopping;
  private volatile boolean read;

  BrokerWorkload(Results results, Path directory) {
    this.results = results;
    this.directory = directory;
  }

  @Override
  public void start() throws Exception {
    broker = new Broker(directory);
    broker.createTopic(TOPIC, PARTITIONS);
    for (int i = 0; i < PAIRS; i++) {
      int who = i;
      deliveries.add(new Deliveries());
      producers.add(new Thread(() -> produce(who), "producer " + who));
      consumers.add(new Thread(this::consume, "consumer " + who));
    }
    producers.forEach(Thread::start);
    consumers.forEach(Thread::start);
  }

  @Override
  public void lookAfter() {
    for (Deliveries sent : deliveries) {
      Optional<Long> oldest = sent.oldestWaiting();
      oldest.ifPresent(
          nanos -> alarm.check(nanos, sent.waiting() + " messages wait for acknowledgement"));
    }
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    stopping = true;
    for (Thread producer : producers) {
      producer.join();
    }
    long deadline = System.nanoTime() + LAST_READS.toNanos();
    while (unread() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(POLL.toMillis());
    }
    read = true;
    for (Thread consumer : consumers) {
      consumer.join();
    }
    results.check(unread() == 0, unread() + " acknowledged messages were not read");
    broker.close();
  }

  private int unread() {
    return deliveries.stream().mapToInt(Deliveries::unread).sum();
  }

  private void produce(int who) {
    Deliveries mine = deliveries.get(who);
    int number = 0;
    // Closing it waits for the last acknowledgements.
    try (KafkaProducer<Integer, String> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                ProducerConfig.CLIENT_ID_CONFIG,
                "producer-" + who,
                ProducerConfig.ACKS_CONFIG,
                "all"),
            new IntegerSerializer(),
            new StringSerializer())) {
      long next = System.nanoTime();
      while (!stopping) {
        for (int i = 0; i < BURST; i++) {
          send(producer, who, mine, number++);
        }
        // After a standstill it goes on at its pace and does not make up for it.
        next = Math.max(next + BETWEEN_BURSTS_NANOS, System.nanoTime() - BETWEEN_BURSTS_NANOS);
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (RuntimeException e) {
      results.wrong("producer " + who, e);
    }
    int missing = number - mine.acknowledged();
    results.check(missing == 0, missing + " of " + number + " messages were not acknowledged");
  }

  private void send(KafkaProducer<Integer, String> producer, int who, Deliveries mine, int number) {
    long sent = System.nanoTime();
    mine.sent(number, sent);
    producer.send(
        new ProducerRecord<>(TOPIC, number, text(who, number)),
        (ignored, failure) -> {
          long waited = System.nanoTime() - sent;
          if (failure != null) {
            mine.given(number);
            results.wrong("message " + number + " after " + Waits.text(waited), failure);
          } else if (mine.acknowledged(number)) {
            results.right(waited);
          } else {
            results.wrong("message " + number + " is acknowledged again");
          }
        });
  }

  private void consume() {
    try (KafkaConsumer<Integer, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address(),
                ConsumerConfig.GROUP_ID_CONFIG, "consumers",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
            new IntegerDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(TOPIC));
      while (!read) {
        consumer.poll(POLL).forEach(this::receive);
      }
    } catch (RuntimeException e) {
      results.wrong("a consumer", e);
    }
  }

  private void receive(ConsumerRecord<Integer, String> message) {
    int who = message.value().charAt(0) - '0';
    int number = message.key();
    if (!message.value().equals(text(who, number))) {
      results.wrong("message " + number + " says " + message.value());
    } else if (!deliveries.get(who).read(number)) {
      results.wrong("message " + number + " of producer " + who + " is read again");
    }
  }

  private static String text(int who, int number) {
    return who + ": message number " + number + ", " + Integer.toHexString(number * 0x9e3779b9);
  }
}
