import CTimex
import Foundation

/// What can be known of this machine's clock without asking anybody: SMP tells no time before there is a message.
///
/// It matters: an invitation that seems older than three minutes does not ring, and a TURN server refuses a password that
/// seems to have run out.
struct ClockCheck: Equatable {
    /// What the kernel says of how the clock is kept (adjtimex(2)).
    enum Keeping: Equatable {
        /// In step with a time server; the greatest error in milliseconds.
        case kept(error: Int)
        /// Nobody keeps it.
        case loose
        /// The kernel does not say.
        case unknown
    }

    var now: Date
    /// When this program was put here; the time can't be before it.
    var installed: Date?
    var keeping: Keeping

    static func now() -> ClockCheck {
        let program = try? FileManager.default.attributesOfItem(
            atPath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return ClockCheck(
            now: Date(), installed: program?[.modificationDate] as? Date, keeping: Keeping.ofKernel())
    }

    /// Files may bear the time of a zone that was set wrong.
    static let tolerance: TimeInterval = 24 * 60 * 60
}

extension ClockCheck.Keeping {
    static func ofKernel() -> ClockCheck.Keeping {
        var state = timex()
        guard adjtimex(&state) >= 0 else { return .unknown }
        guard state.status & STA_UNSYNC == 0 else { return .loose }
        return .kept(error: Int(state.maxerror / 1_000))
    }
}

extension Finding {
    init(clock: ClockCheck) {
        if let installed = clock.installed, clock.now < installed - ClockCheck.tolerance {
            self.init(.clock, .problem, .clockBehind(clock.now))
            return
        }
        switch clock.keeping {
        case .kept(let error): self.init(.clock, .ok, .clock(clock.now, error: error))
        case .loose: self.init(.clock, .warning, .clockLoose(clock.now))
        case .unknown: self.init(.clock, .warning, .clockUnknown(clock.now))
        }
    }
}
