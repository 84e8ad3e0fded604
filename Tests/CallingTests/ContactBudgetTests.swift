import BaseKit
import TestSupport
import Testing

@testable import Calling

/// How often contacts may cause something, case by case.
@Suite("Budget of contacts", .timeLimit(.minutes(5)))
struct ContactBudgetTests {
    /// Somebody at a time in seconds, and whether they may.
    struct Step: Sendable {
        let contact: String
        let second: Int
        let isAdmitted: Bool

        init(_ contact: String, _ second: Int, _ isAdmitted: Bool) {
            (self.contact, self.second, self.isAdmitted) = (contact, second, isAdmitted)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
    }

    /// Two at once and one in ten seconds for each contact, three and one in five for all.
    private static let cases = [
        Case(
            testDescription: "a burst, then one for each interval",
            steps: [
                Step("a", 1, true), Step("a", 1, true), Step("a", 1, false), Step("a", 10, false), Step("a", 11, true),
                Step("a", 11, false), Step("a", 21, true),
            ]),
        Case(
            testDescription: "what one has used up another one has",
            steps: [Step("a", 1, true), Step("a", 1, true), Step("a", 1, false), Step("b", 1, true)]),
        Case(
            testDescription: "all together have less than each for itself",
            steps: [
                Step("a", 1, true), Step("b", 1, true), Step("c", 1, true), Step("d", 1, false), Step("d", 5, false),
                Step("d", 6, true), Step("e", 6, false),
            ]),
        Case(
            testDescription: "what is refused costs neither the contact nor all",
            steps: [
                Step("a", 1, true), Step("a", 1, true), Step("a", 2, false), Step("a", 3, false), Step("a", 4, false),
                Step("b", 4, true), Step("c", 4, false), Step("c", 6, true), Step("a", 11, true),
            ]),
        Case(
            testDescription: "a pause brings back no more than the burst",
            steps: [
                Step("a", 1, true), Step("a", 1, true), Step("a", 3_600, true), Step("a", 3_600, true),
                Step("a", 3_600, false),
            ]),
        Case(
            testDescription: "a time before the last one brings back nothing",
            steps: [Step("a", 50, true), Step("a", 50, true), Step("a", 1, false), Step("a", 59, false)]),
    ]

    private var budget = ContactBudget(
        perContact: Allowance.Limit(burst: 2, interval: .seconds(10)),
        inAll: Allowance.Limit(burst: 3, interval: .seconds(5)))

    @Test(arguments: cases) mutating func `each may as often as the table says`(_ row: Case) {
        for (index, step) in row.steps.enumerated() {
            let isAdmitted = budget.admits(ContactID(rawValue: step.contact), at: at(step.second * 1_000))
            #expect(isAdmitted == step.isAdmitted, "step \(index + 1)")
        }
    }

    @Test mutating func `what is given back can be had again`() {
        for _ in 0..<2 { _ = budget.admits(Samples.ada, at: at(0)) }
        budget.giveBack(Samples.ada)
        // The one that was given back, and none beyond; for all together, too.
        let admitted = [Samples.ada, Samples.ada, Samples.bo, Samples.bo].map { budget.admits($0, at: at(0)) }
        #expect(admitted == [true, false, true, false])
    }

    @Test mutating func `who has everything back takes no room`() {
        for number in 0..<1_000 { _ = budget.admits(ContactID(rawValue: "\(number)"), at: at(number * 5_000)) }
        #expect(budget.contactCount <= 3)
    }

    /// How many are admitted of one each second, over so many seconds.
    private func admitted(_ budget: ContactBudget, seconds: Int, contacts: Int) -> Int {
        var budget = budget
        return (0..<seconds).count {
            budget.admits(ContactID(rawValue: "\($0 % contacts)"), at: at($0 * 1_000))
        }
    }

    @Test(arguments: [(1, 60, 420), (2, 120, 840), (50, 120, 840)])
    func `transports are made as often as the documents say`(contacts: Int, burst: Int, hour: Int) {
        var atOnce = ContactBudget.renewals
        let count = (0..<1_000).count { atOnce.admits(ContactID(rawValue: "\($0 % contacts)"), at: at(0)) }
        #expect(count == burst)
        #expect((hour - 2...hour).contains(admitted(.renewals, seconds: 3_600, contacts: contacts)))
    }
}
