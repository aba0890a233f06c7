package io.jvmtools.examples;

import io.jvmtools.Capability;
import io.jvmtools.code.Instruction;
import io.jvmtools.stack.StackFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The report for a machine: one JSON object, in ASCII. */
final class JsonReport {

  /** What is JSON already. */
  private record Json(String text) {}

  private JsonReport() {}

  static String of(Report report, Watch.Told told) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("vm", System.getProperty("java.vm.version"));
    root.put("program", H2Bank.NAME);
    root.put("rows", H2Bank.ROWS);
    for (Report.Doing doing : Report.Doing.values()) {
      List<Object> groups = new ArrayList<>();
      report.groups(doing).forEach(group -> groups.add(group(group)));
      root.put(doing.name().toLowerCase(Locale.ROOT), groups);
    }
    root.put("threadsOfJvm", report.threadsOfJvm());
    root.put("locks", report.locks().stream().map(JsonReport::lock).toList());
    boolean known = report.dump().deadlocksKnown();
    root.put("deadlocks", known ? report.dump().deadlocks().size() : "not known");
    root.put("consistency", report.dump().consistency().name());
    root.put("standing", report.standing().stream().map(JsonReport::standing).toList());
    root.put("blockers", report.blockers());
    root.put("cpu", report.cpuTable().stream().map(JsonReport::cpu).toList());
    root.put("contention", new Json(told.contention().toJson()));
    root.put("allocations", new Json(report.allocations().toJson()));
    root.put("failed", failed(report.failed()));
    root.put("update", update(told));
    root.put("capabilities", capabilities(report));
    root.put("taggedRows", report.rows().stream().map(JsonReport::row).toList());
    root.put("onTheFly", onTheFly(report.onTheFly()));
    return ascii(write(root)) + System.lineSeparator();
  }

  private static Map<String, Object> group(Report.Group group) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("threads", group.threads());
    members.put("state", group.state().toString());
    members.put("frames", group.trace().stream().map(JsonReport::frame).toList());
    return members;
  }

  private static Map<String, Object> frame(StackFrame frame) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("class", frame.className());
    members.put("method", frame.methodName());
    frame.sourceFile().ifPresent(file -> members.put("file", file));
    frame.line().ifPresent(line -> members.put("line", line));
    frame.module().ifPresent(module -> members.put("module", module));
    members.put("native", frame.isNative());
    return members;
  }

  private static Map<String, Object> lock(Report.Lock lock) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("threads", lock.waiting());
    members.put("class", lock.lock().className());
    members.put("identityHash", lock.lock().identityHash());
    members.put("holder", lock.holder().name());
    lock.where().ifPresent(frame -> members.put("where", frame(frame)));
    return members;
  }

  private static Map<String, Object> standing(Standing standing) {
    Map<String, Object> locals = new LinkedHashMap<>();
    standing.frame().locals().forEach(local -> locals.put(local.name(), local.value()));
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("thread", standing.thread());
    members.put("frame", frame(standing.frame().frame()));
    members.put("location", standing.frame().frame().location());
    members.put("locals", locals);
    members.put("code", standing.code().stream().map(Instruction::toString).toList());
    return members;
  }

  private static Map<String, Object> onTheFly(OnTheFly onTheFly) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("class", onTheFly.type());
    members.put("before", onTheFly.before());
    members.put("during", onTheFly.during());
    members.put("after", onTheFly.after());
    return members;
  }

  private static Map<String, Object> cpu(Report.CpuTime time) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("thread", time.thread());
    members.put("nanos", time.time().toNanos());
    members.put("share", time.share());
    return members;
  }

  private static Map<String, Object> failed(Failed failed) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("statement", failed.statement());
    members.put("message", failed.message());
    members.put("snapshot", new Json(failed.snapshot().toJson()));
    return members;
  }

  private static Map<String, Object> update(Watch.Told told) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("snapshot", new Json(told.update().toJson()));
    members.put("unmatched", told.counts().unmatched());
    return members;
  }

  private static Map<String, Object> capabilities(Report report) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Capability capability : Capability.values()) {
      String status = report.capabilities().missing(capability).map(Enum::name).orElse("HELD");
      members.put(capability.name(), status);
    }
    return members;
  }

  private static Map<String, Object> row(Report.TaggedRow row) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("tag", row.tagged().tag());
    members.put("bytes", row.bytes());
    members.put("identityHash", row.identityHash());
    members.put("class", row.tagged().object().getClass().getName());
    members.put("text", row.tagged().object().toString());
    return members;
  }

  private static String write(Object value) {
    if (value instanceof Json json) {
      return json.text();
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(e -> quote(e.getKey()) + ":" + write(e.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(JsonReport::write).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof Number || value instanceof Boolean ? value.toString() : quote(value);
  }

  private static String quote(Object text) {
    StringBuilder json = new StringBuilder("\"");
    for (char c : Objects.toString(text).toCharArray()) {
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(escape(c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  /** Nothing but what is quoted is not in ASCII. */
  private static String ascii(String json) {
    StringBuilder ascii = new StringBuilder();
    for (char c : json.toCharArray()) {
      ascii.append(c > '~' ? escape(c) : String.valueOf(c));
    }
    return ascii.toString();
  }

  private static String escape(char c) {
    return String.format("\\u%04x", (int) c);
  }
}
