import Parley
import PortMapping
import Testing
import Wording

/// What a person reads of the port in the router.
@Suite(.timeLimit(.minutes(5))) struct PortWordingTests {
    private static let mapped = MappedPort(address: "198.51.100.7", port: 5_224, way: .pcp)

    private func sentence(_ mapping: PortMappingState, _ trial: PortOpenness.Trial = .none) -> String {
        PortOpenness(port: 5_223, mapping: mapping, trial: trial).sentence
    }

    @Test func `of an open port it is said who says so, and that nobody else has tried`() {
        let text = sentence(.open(Self.mapped))
        #expect(text.hasPrefix("The router says that it forwards port 5224 of 198.51.100.7."))
        #expect(text.contains("could not be tried from here"))
    }

    @Test func `only a port that a relay has reached is said to be reached`() {
        let reached = sentence(.open(Self.mapped), .reached(from: "relay.example"))
        #expect(reached.contains("The relay relay.example has reached you there."))
        for trial in [PortOpenness.Trial.none, .running, .unreached(from: "relay.example")] {
            #expect(!sentence(.open(Self.mapped), trial).contains("has reached"))
        }
        #expect(sentence(.open(Self.mapped), .unreached(from: "relay.example")).contains("did not reach you there"))
    }

    @Test func `where links don't lead there that is said`() {
        for text in [
            sentence(.open(Self.mapped), .unreached(from: "relay.example")),
            sentence(.behindAnotherRouter(Self.mapped)),
        ] { #expect(text.contains("Links do not lead there.")) }
    }

    @Test func `where no router answers it is said which port a person can forward`() {
        #expect(sentence(.unanswered).contains("port 5223 of TCP"))
    }

    @Test func `each refusal has a sentence of its own, also after the port was open`() {
        let reasons: [RouterRefusal] = [
            .notAuthorized, .noExternalAddress, .noResources, .portTaken, .anotherInBetween, .other(.upnp, 501),
        ]
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        for reason in reasons { #expect(sentence(.lost(reason)).hasSuffix(reason.sentence)) }
        #expect(RouterRefusal.other(.upnp, 501).sentence.contains("error 501 of UPnP"))
    }

    @Test func `links lead to a port only while the router says it is open and nobody found it closed`() {
        func isUsable(_ mapping: PortMappingState, _ trial: PortOpenness.Trial = .none) -> Bool {
            PortOpenness(port: 1, mapping: mapping, trial: trial).isUsable
        }
        #expect(isUsable(.open(Self.mapped)) && isUsable(.open(Self.mapped), .reached(from: "a")))
        #expect(!isUsable(.open(Self.mapped), .running) && !isUsable(.open(Self.mapped), .unreached(from: "a")))
        for state in [
            PortMappingState.asking, .behindAnotherRouter(Self.mapped), .refused(.noResources), .unanswered, .lost(nil),
        ] { #expect(!isUsable(state)) }
    }
}
