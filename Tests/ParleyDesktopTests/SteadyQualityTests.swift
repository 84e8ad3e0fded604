import BaseKit
import MediaRules
import TestSupport
import Testing

@testable import DesktopApplication

/// Which steps of a call's quality are said.
@Suite(.timeLimit(.minutes(5))) struct SteadyQualityTests {
    private static func quality(_ step: CallQuality.Step, hasWay: Bool = true) -> CallQuality {
        var link = MediaStatistics.Link()
        link.roundTrip =
            switch step {
            case .good: 40
            case .fair: 400
            case .poor: 900
            }
        return CallQuality(.init(link, rates: nil, sendsPicture: false, receivesPicture: false, hasWay: hasWay))
    }

    /// The steps that are said of looks two seconds apart, with when.
    private func said(_ steps: [CallQuality.Step?]) -> [String] {
        var steady = SteadyQuality()
        return steps.enumerated().compactMap { index, step in
            let isSaid = steady.note(step.map { Self.quality($0) }, at: at(2_000 * index))
            return isSaid ? "\(2 * index) s: \(steady.said)" : nil
        }
    }

    @Test func `a step that lasts is said once, and a good call not at its beginning`() {
        #expect(said(Array(repeating: .good, count: 20)) == [])
        #expect(said([.good] + Array(repeating: .poor, count: 20)) == ["8 s: poor"])
    }

    @Test func `what is over after a moment is not said`() {
        #expect(said([.good, .poor, .poor, .good, .good, .fair, .fair, .good, .good]) == [])
    }

    @Test func `that a call is better is said when it has been so for longer`() {
        let steps = Array(repeating: CallQuality.Step.fair, count: 4) + Array(repeating: .good, count: 12)
        #expect(said(steps) == ["6 s: fair", "24 s: good"])
    }

    @Test func `of what goes up and down the step is said that it never leaves for a better one`() {
        let flapping = (0..<20).map { $0.isMultiple(of: 2) ? CallQuality.Step.fair : .poor }
        #expect(said(flapping) == ["8 s: fair"])
        #expect(said([.fair, .fair] + Array(repeating: .poor, count: 4)) == ["10 s: poor"])
    }

    @Test func `while nobody is to hear of it no time passes`() {
        #expect(said([.poor, .poor, nil, .poor, .poor, .poor]) == [])
        #expect(said([.poor, .poor, nil, .poor, .poor, .poor, .poor]) == ["12 s: poor"])
    }

    @Test func `that the way is broken is said by itself and is no step`() {
        var steady = SteadyQuality()
        for second in 0..<20 {
            let isSaid = steady.note(Self.quality(.poor, hasWay: false), at: at(1_000 * second))
            #expect(!isSaid)
        }
        #expect(steady.said == .good)
    }
}
