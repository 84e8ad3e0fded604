import BaseKit
import MediaRules

extension PeerSession {
    /// Sends tones. Returns when they have been sent; those of several calls follow one another.
    ///
    /// Meanwhile the peer hears silence instead of the voice, also when the microphone is muted.
    public func send(_ tones: ToneSequence) async throws(ToneError) {
        guard !isClosed, isVerified else { throw .notConnected }
        guard !switches.isHeld else { throw .onHold }
        let line = transports.current.tones
        guard line.isAgreed else { throw .notSupported }
        toneSends += 1
        if toneSends == 1 { await beginTones() }
        // A call that does not send for whatever reason must not keep anybody waiting.
        let limit = Task {
            try await Task.sleep(for: tones.duration + .seconds(10))
            line.cancel()
        }
        let outcome = await line.send(tones)
        limit.cancel()
        toneSends -= 1
        if toneSends == 0 { endTones() }
        if let outcome { throw outcome }
    }

    /// What is on its way of the voice leaves, or is let go, before silence takes its place and the way is opened.
    private func beginTones() async {
        connectInlets()
        try? await Task.sleep(for: .milliseconds(60))
        let inlet = devices.inlets.silence
        let opened = try? await MediaQueue.run {
            try Capture(.silence, kind: .audio, preview: nil, inlet: inlet) { _ in }
        }
        guard toneSends > 0, !isClosed, silence == nil else {
            if let opened { MediaQueue.start { opened.close() } }
            return
        }
        silence = opened
        switches.sendsTones = true
        updateValves()
    }

    private func endTones() {
        switches.sendsTones = false
        updateValves()
        if !isClosed { connectInlets() }
        if let silence { MediaQueue.start { silence.close() } }
        silence = nil
    }
}
