import Calling
import Foundation
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Calls whose peer does not encrypt frames end to end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClearMediaTests {
    private static func clearOffer(_ id: CallID) -> CallMessage {
        .offer(
            id,
            CallOffer(
                callType: CallType(media: .video, encryption: false),
                description: SessionDescription(kind: .offer, sdp: "v=0\r\n"), candidates: [], publicKey: nil))
    }

    @Test func `whoever called is asked about an answer without encryption`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (call, _) = try await pair.ring()
            try await pair.bob.signaling.send(Self.clearOffer(call.id), to: pair.contactAnn.id)
            let state = try await call.state("the question") { $0.needsDecisionOnClearMedia }
            #expect(state.phase == .ringingOut)
            #expect(state.isFrameEncrypted == false)
            #expect(!call.hasSession)
            await call.hangUp()
            #expect(try await call.endReason() == .cancelled)
        }
    }

    @Test func `a yes lets the call go on in clear`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (call, _) = try await pair.ring()
            try await pair.bob.signaling.send(Self.clearOffer(call.id), to: pair.contactAnn.id)
            try await call.state("the question") { $0.needsDecisionOnClearMedia }
            await call.continueWithClearMedia()
            let state = try await call.state("it goes on") { $0.phase == .connecting || $0.endReason != nil }
            #expect(!state.needsDecisionOnClearMedia)
            #expect(state.isFrameEncrypted == false)
        }
    }

    @Test func `where encryption is required such an answer ends the call`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, ann: { $0.clearMedia = .refuse })
            let (call, other) = try await pair.ring()
            try await pair.bob.signaling.send(Self.clearOffer(call.id), to: pair.contactAnn.id)
            #expect(try await call.endReason() == .encryptionRefused)
            #expect(try await other.endReason() == .missed)
            #expect(!call.hasSession)
        }
    }

    @Test func `a call without encryption is taken only knowingly`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = CallID.random()
            let invitation = CallInvitation(
                callType: CallType(media: .audio, encryption: false), publicKey: nil)
            try await pair.ann.signaling.send(.invitation(id, invitation), to: pair.contactBob.id)
            let call = try await pair.bob.incoming(id)
            #expect(call.state.needsDecisionOnClearMedia)
            try await call.accept(media: .audio)
            #expect(call.state.phase == .ringingIn)
            await call.continueWithClearMedia()
            #expect(!call.state.needsDecisionOnClearMedia)
            try await call.accept(media: .audio)
            try await call.state("it goes on") { $0.phase == .connecting }
            await call.hangUp()
            #expect(try await call.endReason() == .hungUp)
        }
    }

    @Test func `where encryption is required such a call does not ring`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, bob: { $0.clearMedia = .refuse })
            let refused = CallID.random()
            let invitation = CallInvitation(
                callType: CallType(media: .audio, encryption: false), publicKey: nil)
            try await pair.ann.signaling.send(.invitation(refused, invitation), to: pair.contactBob.id)
            // The next call comes after it, and is the first that rings.
            let ringing = Task { [updates = pair.bob.updates] () -> CallID? in
                for await update in updates { if case .incoming(let call) = update { return call.id } }
                return nil
            }
            let (call, _) = try await pair.ring(.audio)
            #expect(await ringing.value == call.id)
        }
    }
}
