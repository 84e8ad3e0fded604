import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct SourceColoursTests {
    @Test func `pictures that say nothing are taken for VP8's`() {
        let silent = SourceColours(matrix: nil, range: nil)
        #expect(silent.areVP8s && !silent.needRange)
    }

    @Test func `pictures by BT.601 are VP8's, and only their range may have to be changed`() {
        for range in [nil, .television] as [SourceColours.Range?] {
            let colours = SourceColours(matrix: .bt601, range: range)
            #expect(colours.areVP8s && !colours.needRange)
        }
        let full = SourceColours(matrix: .bt601, range: .full)
        #expect(full.areVP8s && full.needRange)
        #expect(SourceColours(matrix: nil, range: .full).needRange)
    }

    @Test func `pictures by anything else are converted, with their range`() {
        for range in [nil, .television, .full] as [SourceColours.Range?] {
            let colours = SourceColours(matrix: .other, range: range)
            #expect(!colours.areVP8s && !colours.needRange)
        }
    }

    /// What `videobalance` makes of a brightness: 16 is its black.
    private static func brightness(_ full: Double) -> Double {
        let steps: Double = (full - 16) * TelevisionRange.contrast
        return 16 + steps + TelevisionRange.brightness * 255
    }

    /// What it makes of a colour: 128 is none.
    private static func colour(_ full: Double) -> Double {
        let steps: Double = (full - 128) * TelevisionRange.saturation
        return 128 + steps
    }

    @Test func `brightness comes into television's range`() {
        let made: [Double] = [0, 128, 255].map(Self.brightness)
        #expect(made.map { Int($0.rounded()) } == [16, 126, 235])
    }

    @Test func `colours come into television's range`() {
        let made: [Double] = [0, 128, 255].map(Self.colour)
        #expect(made.map { Int($0.rounded()) } == [16, 128, 240])
    }
}
