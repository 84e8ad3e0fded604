import Foundation
import Testing

@testable import NetworkEmulation

@Suite(.timeLimit(.minutes(5))) struct NetworkPlanTests {
    @Test func `every plan that comes with Parley is sound`() throws {
        #expect(NetworkPlan.names.count >= 19)
        for name in NetworkPlan.names {
            let plan = try NetworkPlan.named(name)
            #expect(!plan.about.isEmpty)
            #expect(plan.phases.allSatisfy { $0.from < plan.duration })
        }
    }

    @Test func `every file of a plan is known by its name`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: sources.appending(path: "Sources/NetworkEmulation/Plans").path)
        #expect(files.map { String($0.dropLast(5)) }.sorted() == NetworkPlan.names)
    }

    @Test func `the drop plan has its three phases`() throws {
        let plan = try NetworkPlan.named("drop")
        #expect(plan.phase(at: 0)?.forward.rate == 2_000_000)
        #expect(plan.phase(at: 20)?.backward.rate == 300_000)
        #expect(plan.phase(at: 59)?.forward.rate == 2_000_000)
    }

    @Test func `a plan may be of voices alone`() throws {
        #expect(try NetworkPlan.named("modem").isSoundAlone)
        #expect(try !NetworkPlan.named("narrow").isSoundAlone)
    }

    @Test(arguments: ["../secret", "", "nothing"])
    func `an unknown name is an error`(name: String) {
        #expect(throws: NetworkEmulationError.self) { try NetworkPlan.named(name) }
    }

    @Test(arguments: [
        "", "[]", #"{"about":"a","seed":1,"duration":0,"phases":[{"both":{}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"from":1,"both":{}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{}},{"from":0,"both":{}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{"loss":1.5}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{"delay":-1}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{"rate":1}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"forward":{}}]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{}}],"rebind":[2,1]}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{}}],"screen":3}"#,
        #"{"about":"a","seed":1,"duration":9,"phases":[{"both":{}}],"sound":3}"#,
    ])
    func `a plan that cannot be is an error`(json: String) {
        #expect(throws: NetworkEmulationError.self) { try NetworkPlan(json: Data(json.utf8)) }
    }
}
