import TestSupport
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct MenuTextTests {
    @Test(arguments: [
        ("_Preferences", "Preferences"), ("Your _address", "Your address"), ("my__microphone", "my_microphone"),
        ("___x", "_x"), ("", ""), ("_", ""), ("plain", "plain"),
    ])
    func `a text is read out as it is shown, without what marks its key`(text: String, shown: String) {
        #expect(MenuText.withoutMnemonics(text) == shown)
    }

    @Test func `a device's name is shown as it is, whatever it holds`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let name = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in "_ab".randomElement(using: &random)! })
            #expect(MenuText.withoutMnemonics(MenuText.withoutKeys(name)) == name)
        }
    }
}
