import Testing

@testable import NetworkEmulation
@testable import ParleyBench

@Suite(.timeLimit(.minutes(1))) struct NetworkSummaryTests {
    /// A second of nothing, but for what is changed.
    private func second(_ change: (inout NetworkFigures.Direction) -> Void = { _ in }) -> NetworkFigures.Direction {
        var direction = NetworkFigures.empty.forward
        change(&direction)
        return direction
    }

    @Test func `the first five seconds of a long call don't count`() {
        let start = (0..<5).map { _ in second { ($0.shown, $0.gap, $0.frozen, $0.soundGap) = (1, 900, 800, 700) } }
        let rest = (0..<10).map { _ in second { ($0.shown, $0.gap, $0.frozen, $0.soundGap) = (30, 250, 250, 60) } }
        let long = NetworkSummary(start + rest)
        #expect(long.shown == 30 && long.gap == 250 && long.frozen == 2.5 && long.soundGap == 60)
        let short = NetworkSummary(start + rest.prefix(5))
        #expect(short.shown == 15.5 && short.gap == 900 && short.frozen == 5.25 && short.soundGap == 700)
    }

    @Test func `seconds in which no picture was compared say nothing of how alike pictures are`() {
        let summary = NetworkSummary([
            second { $0.similarity = 0.9 }, second { $0.similarity = nil }, second { $0.similarity = 0.7 },
        ])
        #expect(summary.similarity.map { abs($0 - 0.8) < 1e-9 } == true)
        #expect(summary.text("there").contains("SSIM 0.800"))
        #expect(NetworkSummary([second()]).similarity == nil)
        #expect(!NetworkSummary([second()]).text("there").contains("SSIM"))
    }

    @Test func `when 720 rows came first is told also where it was at the beginning`() {
        var all = (0..<20).map { _ in second { ($0.rows, $0.large) = (720, 1_520) } }
        (all[0].rows, all[0].large) = (360, nil)
        let summary = NetworkSummary(all)
        #expect(summary.large == 1.52 && summary.rows == 720 && summary.rowsSecond == 2)
        #expect(summary.text("there").contains("720 rows in second 2, 720 rows after 1.5 s"))
    }

    @Test func `a screen is named only where there is one`() {
        #expect(!NetworkSummary([second()]).text("there").contains("screen"))
        let shared = NetworkSummary([second { ($0.screen, $0.screenSound) = (4, 50) }])
        #expect(shared.text("there").hasSuffix("screen 4.0 pictures/s, its sound 50/s"))
    }

    @Test func `what is not known of a second is a dash in its row`() {
        var figures = NetworkFigures.empty
        (figures.forward.similarity, figures.forward.roundTrip) = (0.91234, 40)
        let columns = figures.row.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        #expect(columns[1].suffix(2) == ["40", "0.912"] && columns[2].suffix(2) == ["–", "–"])
        let lines = NetworkFigures.header.split(separator: "\n")
        #expect(lines[1].count == figures.row.count)
    }
}

extension NetworkFigures {
    /// A second in which nothing came.
    static var empty: NetworkFigures {
        let counts = Counts(peers: [PeerFigures(), PeerFigures()], link: .init(), at: .init(sinceStart: .zero))
        return NetworkFigures(second: 1, from: counts, to: counts)
    }
}

@Suite(.timeLimit(.minutes(1))) struct PictureTimesTests {
    @Test func `the first picture of 720 rows keeps its moment`() throws {
        let times = PictureTimes()
        times.add(rows: 719)
        #expect(times.take().large == nil)
        times.add(rows: 720)
        let first = try #require(times.take().large)
        times.add(rows: 1_080)
        times.add(rows: 180)
        #expect(times.take().large == first)
    }
}
