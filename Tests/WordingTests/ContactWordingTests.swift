import Parley
import Testing

@testable import Wording

@Suite(.timeLimit(.minutes(5))) struct ContactWordingTests {
    @Test(arguments: [
        ("Test call", "Testanruf"), ("New contact", "Neuer Kontakt"), ("New contact (12)", "Neuer Kontakt (12)"),
        ("New contacts", "New contacts"), ("New contact (my aunt)", "New contact (my aunt)"), ("Ann", "Ann"), ("", ""),
    ])
    func `a name that Parley gives is read in the person’s language, with its number`(name: String, read: String) {
        let own = [("Test call", "Testanruf"), ("New contact", "Neuer Kontakt")]
        #expect(Contact.shown(name, inPlaceOf: own) == read)
    }
}
