import GLibKit
import Glibc

/// Threads that block where nothing else can wait for them: neither a queue's threads nor the cooperative pool's are held.
enum DetachedThread {
    typealias Work = @Sendable () -> Void

    /// Runs `body` on a thread of its own; false when the system gives none.
    @discardableResult
    static func start(_ body: @escaping Work) -> Bool {
        let work = CallbackData.keeping(body)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { raw in
                if let raw {
                    CallbackData.value(Work.self, at: raw)()
                    CallbackData.release(raw)
                }
                return nil
            }, work)
        guard result == 0 else {
            CallbackData.release(work)
            return false
        }
        pthread_detach(thread)
        return true
    }
}
