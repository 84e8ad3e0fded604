import BaseKit
import Signaling

/// One opened media of one call: does what the machine asks for in its order, and reports back.
///
/// Closing does not wait for anything: it reaches the session at once, also while it makes an offer, and a session that
/// is still being opened is closed the moment it exists.
final class MediaLine: Sendable {
    private struct State {
        var isClosed = false
        var session: (any CallMediaSession)?
    }

    typealias Report = @Sendable (MediaLine, MediaInput) async -> Void

    private let report: Report
    private let state = Lock(State())
    private let steps: AsyncStream<MediaStep>.Continuation
    private let worker = Lock<Task<Void, Never>?>(nil)

    init(_ plan: MediaPlan, for callID: CallID, port: any CallMediaPort, report: @escaping Report) {
        self.report = report
        let (stream, continuation) = AsyncStream.makeStream(of: MediaStep.self)
        steps = continuation
        let task = Task { await self.run(plan, callID, port, stream) }
        worker.withLock { $0 = task }
    }

    private var session: (any CallMediaSession)? { state.withLock { $0.isClosed ? nil : $0.session } }

    func add(_ step: MediaStep) {
        // Giving up does not wait for what is given up.
        if case .renew(.abandon(let number)) = step, let session { Task { await session.abandonRenewal(number) } }
        steps.yield(step)
    }

    /// Closes media; everything after that is void.
    func close() -> Task<Void, Never> {
        steps.finish()
        let session = state.withLock { state in
            state.isClosed = true
            defer { state.session = nil }
            return state.session
        }
        let worker = worker.withLock { $0 }
        return Task {
            await session?.close()
            await worker?.value
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run(
        _ plan: MediaPlan, _ callID: CallID, _ port: any CallMediaPort, _ stream: AsyncStream<MediaStep>
    ) async {
        guard !isClosed else { return }
        let session: any CallMediaSession
        do {
            session = try await port.open(plan, for: callID)
        } catch {
            return await report(self, .event(.failed(Cause(error))))
        }
        let isWanted = state.withLock { state in
            if !state.isClosed { state.session = session }
            return !state.isClosed
        }
        guard isWanted else { return await session.close() }
        let listener = Task {
            for await event in session.events { await self.report(self, .event(event)) }
        }
        await report(self, .opened)
        for await step in stream {
            if isClosed { break }
            await perform(step, on: session)
        }
        listener.cancel()
    }

    private func perform(_ step: MediaStep, on session: any CallMediaSession) async {
        do {
            switch step {
            case .makeOffer:
                let (offer, candidates) = try await session.makeOffer()
                await report(self, .offerMade(offer, candidates))
            case .makeAnswer(let offer, let candidates):
                let (answer, own) = try await session.makeAnswer(to: offer, candidates: candidates)
                await report(self, .answerMade(answer, own))
            case .applyAnswer(let answer, let candidates):
                try await session.apply(answer: answer, candidates: candidates)
            case .addCandidates(let candidates): await session.add(candidates)
            case .hold(let isHeld): await session.setHeld(isHeld)
            case .renew(let step): await renew(step, on: session)
            }
        } catch {
            await report(self, .event(.failed(Cause(error))))
        }
    }

    /// What goes wrong with a new transport leaves the present one as it is.
    private func renew(_ step: RenewalStep, on session: any CallMediaSession) async {
        do {
            switch step {
            case .makeOffer(let number):
                let (offer, candidates) = try await session.renewOffer(number)
                await report(self, .renewalOfferMade(number, offer, candidates))
            case .makeAnswer(let number, let offer, let candidates):
                let (answer, own) = try await session.renewAnswer(number, to: offer, candidates: candidates)
                await report(self, .renewalAnswerMade(number, answer, own))
            case .applyAnswer(let number, let answer, let candidates):
                try await session.applyRenewal(number, answer: answer, candidates: candidates)
            case .addCandidates(let number, let candidates): await session.add(candidates, renewal: number)
            case .abandon(let number): await session.abandonRenewal(number)
            }
        } catch {
            await report(self, .event(.renewalFailed(step.number, Cause(error))))
        }
    }
}

extension RenewalStep {
    fileprivate var number: Int {
        switch self {
        case .makeOffer(let number), .makeAnswer(let number, _, _), .applyAnswer(let number, _, _),
            .addCandidates(let number, _), .abandon(let number):
            number
        }
    }
}
