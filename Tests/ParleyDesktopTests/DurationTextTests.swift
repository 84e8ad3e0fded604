import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct DurationTextTests {
    @Test(arguments: [
        (0, "0:00"), (7, "0:07"), (59, "0:59"), (60, "1:00"), (754, "12:34"), (3599, "59:59"), (3600, "1:00:00"),
        (3723, "1:02:03"), (360_000, "100:00:00"), (-5, "0:00"),
    ])
    func `reads as people read it`(seconds: Int, text: String) {
        #expect(DurationText.text(seconds: seconds) == text)
    }
}
