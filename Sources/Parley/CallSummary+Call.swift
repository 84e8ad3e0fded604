import Calling
import MediaRules

extension CallSummary {
    /// Puts together what the call, its media and its relay tell.
    init(state: CallState, wasActive: Bool, statistics: MediaStatistics?, relay: RelayUse?) {
        result = Self.result(state.phase, wasActive: wasActive)
        smpVersion = relay?.smpVersion
        self.relay = relay?.address
        setup = state.setup
        sent = Counts(statistics?.sent, of: statistics)
        received = Counts(statistics?.received, of: statistics)
        path = statistics?.path
    }

    private static func result(_ phase: CallPhase, wasActive: Bool) -> String {
        switch phase {
        case .ended(.hungUp), .ended(.peerHungUp):
            wasActive ? completed : "notConnected"
        case .ended(let reason): reason.rawValue
        case .ringingOut, .ringingIn, .connecting, .active, .reconnecting: "unfinished"
        }
    }
}

extension CallSummary.Counts {
    fileprivate init(_ direction: MediaStatistics.Direction?, of statistics: MediaStatistics?) {
        self.init()
        guard let direction, let statistics else { return }
        videoFrames = direction.videoFrames
        audioFrames = direction.audioFrames
        screenFrames = direction.screenFrames
        screenSoundFrames = direction.screenSoundFrames
        framesRejected = direction.framesRejected
        frameEncryption = statistics.frameEncryption
        fingerprintVerified = statistics.fingerprintVerified
        bytes = direction.bytes
    }
}
