(import '(io.jvmtools Capability JvmTools Jvmti)
        '(io.jvmtools.thread SuspendedAction)
        '(java.time Duration)
        '(java.util.concurrent.locks LockSupport))

(let [self (Thread/currentThread)]
  (println (str (.toJavaState (JvmTools/getThreadState self))))
  (println (str (.getState self))))

(let [parked (doto (Thread. #(while true (LockSupport/park))) (.setDaemon true) (.start))]
  (while (not= Thread$State/WAITING (.getState parked)) (Thread/onSpinWait))
  (with-open [jvmti (Jvmti/open (into-array Capability [Capability/CAN_SUSPEND]))]
    (let [both (reify SuspendedAction
                 (run [_] [(first (.stackTrace (.frames jvmti) parked)) (first (.getStackTrace parked))]))
          [ours javas] (.withSuspended (.threads jvmti) parked (Duration/ofMinutes 1) both)]
      (println (.methodName ours))
      (println (.getMethodName javas)))))
