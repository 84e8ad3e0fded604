import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(1))) struct GroupReportTests {
    private func call(people: Int = 4, _ change: (inout GroupFigures) -> Void = { _ in }) -> GroupFigures {
        var figures = GroupFigures(people: people)
        (figures.processor, figures.memory, figures.height, figures.joining) = (0.2, 60, 180, 400)
        change(&figures)
        return figures
    }

    @Test func `a call within its aims misses none`() {
        let report = GroupReport([call(people: 2), call { ($0.lossyPictures, $0.narrowGap) = (20, 2_000) }])
        #expect(report.missed == [])
        #expect(report.text.hasSuffix("All aims are met."))
    }

    @Test(arguments: [
        ("processor time", \GroupFigures.processor, 0.36), ("memory", \.memory, 121),
        ("time to join", \.joining, 1_001),
    ]) func `a figure beyond its aim is named`(
        _ name: String, _ figure: WritableKeyPath<GroupFigures, Double> & Sendable, _ value: Double
    ) {
        #expect(GroupReport([call { $0[keyPath: figure] = value }]).missed == ["4: \(name)"])
    }

    @Test func `what a bad link does is held against its aims`() {
        let report = GroupReport([call { ($0.lossyPictures, $0.narrowGap) = (19.9, 2_001) }])
        #expect(report.missed == ["4: pictures at 5 % loss", "4: pictures on 400 kbit/s"])
    }

    @Test func `what going over leaves out is held against its aim, and has columns where it was measured`() throws {
        let gaps: [(WritableKeyPath<GroupFigures, Int?>, String)] = [
            (\.toMeshGap, "pictures while going from the room to direct ways"),
            (\.toMeshSoundGap, "sound while going from the room to direct ways"),
            (\.toRoomGap, "pictures while going from direct ways to the room"),
            (\.toRoomSoundGap, "sound while going from direct ways to the room"),
        ]
        for (gap, name) in gaps {
            #expect(GroupReport([call { $0[keyPath: gap] = 500 }]).missed == [])
            #expect(GroupReport([call { $0[keyPath: gap] = 501 }]).missed == ["4: \(name)"])
        }
        let text = GroupReport([
            call { ($0.toMeshGap, $0.toMeshSoundGap, $0.toRoomGap, $0.toRoomSoundGap) = (61, 142, 83, 64) }
        ]).text
        #expect(text.contains("61 / 142") && text.contains("83 / 64"))
        #expect(!GroupReport([call()]).text.contains("silent"))
    }

    @Test func `a frame that no key opens is a miss`() {
        #expect(GroupReport([call { $0.refused = 1 }]).missed == ["4: frames that no key opens"])
    }

    @Test func `the aims of small pictures are none for larger ones`() {
        #expect(GroupReport([call { ($0.height, $0.processor, $0.memory) = (360, 0.5, 200) }]).missed == [])
    }

    @Test func `calls over a Janus have its cost beside them, and no webrtcbins`() throws {
        let lines = GroupReport([call(people: 8) { ($0.janusProcessor, $0.viewers) = (0.157, 2) }]).text.split(
            separator: "\n")
        func cells(_ line: Substring) -> [String] {
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let place = try #require(cells(lines[0]).firstIndex(of: "Janus %"))
        #expect(cells(lines[2])[place] == "15.7")
        let viewers = try #require(cells(lines[0]).firstIndex(of: "viewers"))
        #expect(cells(lines[2])[viewers] == "2")
        #expect(!lines[0].contains("webrtcbins"))
        #expect(!GroupReport([call()]).text.contains("Janus"))
    }

    @Test func `a figure that was not measured is a dash`() {
        let row = GroupReport([call()]).text.split(separator: "\n")[2]
        #expect(
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 == "–" }.count == 5)
    }
}
