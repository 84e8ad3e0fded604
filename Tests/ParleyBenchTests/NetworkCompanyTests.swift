import BaseKit
import NetworkEmulation
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct NetworkCompanyTests {
    private func summary(own: Int, other: Int) -> String {
        func counts(_ second: Int) -> NetworkCompany.Counts {
            NetworkCompany.Counts(
                flows: [("this call", own * second, own * second), ("TCP", other * second, other * second)],
                at: Instant(sinceStart: .seconds(second)))
        }
        return NetworkCompany.summary(from: counts(10), to: counts(70))
    }

    @Test func `half to twice of what the other flow gets is a fair share`() {
        #expect(summary(own: 100_000, other: 125_000).contains("0.80 and 0.80 of that (aim 0.5 to 2: met)"))
        #expect(summary(own: 100_000, other: 250_000).contains("missed"))
        #expect(summary(own: 250_000, other: 100_000).contains("missed"))
        #expect(summary(own: 100_000, other: 0).contains("missed"))
        #expect(summary(own: 125_000, other: 125_000).contains("TCP: 1000 and 1000 kbit/s"))
    }

    @Test func `plans say how many calls there are and whether TCP flows beside them`() throws {
        #expect(try NetworkPlan.named("pair").calls == 2)
        #expect(try NetworkPlan.named("crowd").hasStream)
        let plain = try NetworkPlan.named("narrow")
        #expect(plain.calls == 1 && !plain.hasStream)
    }
}
