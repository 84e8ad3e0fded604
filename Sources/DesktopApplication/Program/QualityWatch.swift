import BaseKit
import MediaRules

/// Looks every two seconds how good the connection of the call in front is.
@MainActor final class QualityWatch {
    /// Called with each reading; nil when there is nothing to be read any more.
    var onReading: (QualityReading?) -> Void = { _ in }
    /// Called when it is another step than was said last, and has been for a while.
    var onStep: (QualityReading) -> Void = { _ in }
    /// Says whether a window shows the step; where none does nothing is said of it.
    var isShown: () -> Bool = { true }
    private(set) var latest: QualityReading?
    private let pictures: @MainActor () -> (camera: QualityReading.Size?, screen: QualityReading.Size?)
    private var session: (any CallSession)?
    private var looking: Task<Void, Never>?
    private var steady = SteadyQuality()

    /// `pictures` gives the sizes of their picture and of the screen that they share, as they are now.
    init(_ pictures: @escaping @MainActor () -> (camera: QualityReading.Size?, screen: QualityReading.Size?)) {
        self.pictures = pictures
    }

    isolated deinit { looking?.cancel() }

    /// Looks at a call from now on; nil looks at none.
    func follow(_ session: (any CallSession)?) {
        guard session !== self.session else { return }
        looking?.cancel()
        self.session = session
        steady = SteadyQuality()
        tell(nil)
        guard let session else { return }
        looking = Task { [weak self] in
            var before: (statistics: MediaStatistics, at: Instant)?
            while !Task.isCancelled {
                if let statistics = await session.statistics(), !Task.isCancelled {
                    let now = Instant.now
                    self?.read(statistics, before, now, session.snapshot)
                    before = (statistics, now)
                }
                try? await Task.sleep(for: .seconds(2), tolerance: .milliseconds(200))
            }
        }
    }

    private func read(
        _ statistics: MediaStatistics, _ before: (statistics: MediaStatistics, at: Instant)?, _ now: Instant,
        _ snapshot: CallSnapshot
    ) {
        var reading = QualityReading(
            statistics, before: before?.statistics, in: before.map { now - $0.at } ?? .zero, of: snapshot)
        (reading.theirPicture, reading.theirScreen) = pictures()
        tell(reading)
        if steady.note(isShown() ? reading.quality : nil, at: now) { onStep(reading) }
    }

    private func tell(_ reading: QualityReading?) {
        guard reading != latest else { return }
        latest = reading
        onReading(reading)
    }
}
