// Earlier states leave the disk.
extension Agent {
    /// From a change until the log of the store is emptied, in milliseconds: an old ratchet that is found on the disk opens
    /// what it was the key of. Nothing wakes up while nothing changes.
    static let logLifetime: Int64 = 30_000

    /// The store has changed: its log is emptied soon, once for all changes until then.
    func emptyLogLater() {
        guard phase == .running, emptying == nil, store.needsEmptying else { return }
        emptying = Task { [weak self, clock = surroundings.clock] in
            try? await clock.sleep(milliseconds: Self.logLifetime, isolation: nil)
            guard !Task.isCancelled else { return }
            await self?.emptyLog()
        }
    }

    private func emptyLog() {
        emptying = nil
        guard phase == .running else { return }
        do {
            try store.emptyLog()
        } catch {
            logger.notice("Earlier states are still in the log", metadata: ["error": "\(error)"])
            emptyLogLater()
        }
    }
}
