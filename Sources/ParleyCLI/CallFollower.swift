import Calling
import Foundation
import MediaRules
import Parley
import Wording

/// Prints a call's steps as they happen and hangs up after its time.
struct CallFollower {
    let printer: EventPrinter
    /// How long to talk once both are connected; nil: until somebody hangs up.
    var talkTime: Duration?
    /// How long to let it ring; nil: as long as calls ring.
    var ringTime: Duration?
    /// Whether an incoming call is taken once the person has agreed to what it lacks.
    var takesCalls = false
    /// Whether to tell once a second what was sent and received.
    var tellsStatistics = false
    /// Tones to send once both are connected.
    var tones: String?
    /// Whether the command ends with the call.
    var isLast = true

    /// Follows `call` to its end. When the task is cancelled, it hangs up and follows still.
    /// - Returns: The call's summary, which has been printed.
    func follow(_ call: Call) async -> CallSummary {
        let following = Task { await followToEnd(call) }
        return await withTaskCancellationHandler {
            await following.value
        } onCancel: {
            Task { await call.hangUp() }
        }
    }

    private func followToEnd(_ call: Call) async -> CallSummary {
        var seen: Set<String> = []
        var (noticed, toneCount) = (0, 0)
        var hasToldOfRelay = false
        var path = PathFollower()
        var counting: Task<Void, any Error>?
        var talking: Task<Void, any Error>?
        var asking: Task<Void, Never>?
        var screens = ScreenNews()
        var devices = DeviceNews()
        var peer = PeerNews()
        var hold = HoldNews()
        var sending: Task<Void, Never>?
        let ringing = ringTime.map { limit in
            Task {
                try await Task.sleep(for: limit)
                if call.state.phase == .ringingOut { await call.hangUp() }
            }
        }
        for await state in call.states() {
            for (name, milliseconds) in state.setup.steps where seen.insert(name).inserted {
                step(name, milliseconds, of: call)
            }
            if state.isWaitingForRelay, !hasToldOfRelay {
                hasToldOfRelay = true
                printer.event(
                    "waitingForRelay", ["call": .string(call.id.description)],
                    sentence: .tr("The relay can't be reached. Trying again…"))
            }
            for sentence in state.notices.dropFirst(noticed).map(\.sentence) {
                printer.event(
                    "notice", ["call": .string(call.id.description), "message": .string(sentence)],
                    sentence: PlainLine(sentence))
            }
            noticed = max(noticed, state.notices.count)
            if let change = path.follow(state) {
                printer.event(
                    change.event, ["call": .string(call.id.description), "transport": .number(state.transportNumber)],
                    sentence: PlainLine(change.sentence))
            }
            for news in screens.update(state, contact: call.contact.name) {
                printer.event(
                    news.name, ["call": .string(call.id.description), "state": .string(news.state)],
                    sentence: news.sentence.map { PlainLine($0) })
            }
            for news in peer.update(state, contact: call.contact.name)
                + hold.update(state, contact: call.contact.name)
            {
                printer.event(
                    news.name, ["call": .string(call.id.description), "state": .string(news.state)],
                    sentence: news.sentence)
            }
            if state.toneCount > toneCount, let tone = state.lastTone {
                toneCount = state.toneCount
                printer.event(
                    "tone", ["call": .string(call.id.description), "key": .string(String(tone.key))],
                    sentence: .tr("%1$s sent the tone of the key %2$s.", call.contact.name, String(tone.key)))
            }
            for news in devices.update(state) {
                let fields = news.fields.merging(["call": .string(call.id.description)]) { $1 }
                printer.event(news.name, fields, sentence: news.sentence.map { PlainLine($0) })
            }
            if state.needsDecisionOnClearMedia, asking == nil { asking = Task { await ask(call) } }
            if case .active = state.phase, let talkTime, talking == nil {
                talking = Task {
                    try await Task.sleep(for: talkTime)
                    await call.hangUp()
                }
            }
            if case .active = state.phase, let tones, sending == nil {
                sending = Task { await send(tones, to: call) }
            }
            if case .active = state.phase, tellsStatistics, counting == nil {
                counting = Task { try await count(call) }
            }
            if case .ended(let reason) = state.phase {
                let sentence = state.endSentence ?? reason.sentence
                printer.event(
                    "ended",
                    [
                        "call": .string(call.id.description), "reason": .string(reason.rawValue),
                        "message": .string(sentence),
                    ],
                    sentence: PlainLine(sentence))
            }
        }
        talking?.cancel()
        counting?.cancel()
        sending?.cancel()
        ringing?.cancel()
        // Nothing of the call is told behind its summary.
        _ = await counting?.result
        let summary = await call.summary()
        printer.summary(summary, contact: call.contact.name, isLast: isLast)
        return summary
    }

    private func count(_ call: Call) async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            let summary = await call.summary()
            let (sent, received) = (summary.sent, summary.received)
            try Task.checkCancellation()
            printer.event(
                "statistics",
                [
                    "call": .string(call.id.description), "transport": .number(call.state.transportNumber),
                    "sentPictures": .number(sent.videoFrames), "receivedPictures": .number(received.videoFrames),
                    "sentSound": .number(sent.audioFrames), "receivedSound": .number(received.audioFrames),
                    "sentScreen": .number(sent.screenFrames), "receivedScreen": .number(received.screenFrames),
                    "sentScreenSound": .number(sent.screenSoundFrames),
                    "receivedScreenSound": .number(received.screenSoundFrames),
                ],
                sentence: .tr(
                    "Sent %1$s pictures and %2$s sound frames, received %3$s and %4$s.", sent.videoFrames,
                    sent.audioFrames, received.videoFrames, received.audioFrames))
        }
    }

    /// Asks whether the call may go on without end-to-end encryption; only an explicit yes lets it.
    private func ask(_ call: Call) async {
        let sentence = tr("%s's program does not encrypt sound and picture end to end.", call.contact.name)
        printer.event(
            "clearMedia", ["call": .string(call.id.description), "message": .string(sentence)],
            sentence: PlainLine(sentence))
        guard await printer.asks(tr("Go on without? [y/N] ")) else { return await call.hangUp() }
        await call.continueWithClearMedia()
        // A call that is over meanwhile says so itself.
        if takesCalls, call.direction == .incoming { try? await call.accept(media: call.media) }
    }

    private func send(_ tones: String, to call: Call) async {
        do throws(ToneError) {
            try await call.send(tones: tones)
            printer.sentTones(to: call)
        } catch {
            // The end of the call says enough.
            if !Task.isCancelled { printer.failed(error, of: call) }
        }
    }

    private func step(_ name: String, _ milliseconds: Int, of call: Call) {
        let sentence = PlainStep.text(name, milliseconds, isIncoming: call.direction == .incoming)
        printer.event(
            name, ["call": .string(call.id.description), "contact": .string(call.contact.name)], sentence: sentence)
    }
}

extension EventPrinter {
    /// Tones have left. They may be a secret, so they are not repeated.
    func sentTones(to call: Call) {
        event("tonesSent", ["call": .string(call.id.description)], sentence: .tr("The tones were sent."))
    }

    /// Something that was wanted of a call could not be done.
    func failed(_ error: any Error, of call: Call) {
        let sentence = Wording.sentence(of: error)
        event(
            "failed", ["call": .string(call.id.description), "message": .string(sentence)],
            sentence: PlainLine(sentence))
    }
}
