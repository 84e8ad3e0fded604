import TestSupport
import Testing

/// Contacts, addresses, relays and the key in the windows of the real program, with a pretended account behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeContactsDesktopTests: DesktopSuite {
    @Test func `a contact is added by an own link`() throws {
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.press("Create link")
        try parley.see("https://parley.invalid/invitation")
        try parley.see("Waiting for the other person to open it.")
        try parley.see("QR code of your link")
        parley.screenshot("invitation")
        try parley.press("Copy link")
        try parley.see("Invited friend is now a contact.")
        try parley.see("Video call with Invited friend")
        try parley.seeNoMore("Copy link")
    }

    @Test func `a link that nobody has opened is shown and copied again`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.press("Create link")
        try parley.see("Waiting for the other person to open it.")
        try parley.see("Waiting for somebody to open your link")
        try Keyboard.activate(Keyboard.window(titled: "Add a contact"))
        try Keyboard.press("Escape")
        try parley.seeNoMore("Waiting for the other person to open it.")
        #expect(!parley.shows("https://parley.invalid/invitation"))
        parley.screenshot("open-invitation")
        try parley.press("Show link")
        try parley.see("https://parley.invalid/invitation")
        try parley.see("QR code of your link")
        parley.screenshot("invitation-again")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Copy link")
        try parley.see("Copied.")
    }

    @Test func `a link is made for somebody and withdrawn`() throws {
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.type("Aunt Hilda", into: "For whom")
        try parley.press("Create link")
        try parley.see("Waiting for the other person to open it.")
        try parley.press("Show link")
        try parley.see("For: Aunt Hilda")
        try parley.see("It can be opened from everywhere.")
        parley.screenshot("invitation-named")
        try parley.press("Withdraw link…")
        try parley.see("Withdraw the link?")
        parley.screenshot("withdraw")
        try parley.press("Cancel")
        try parley.seeNoMore("Withdraw the link?")
        try parley.see("For: Aunt Hilda")
        try parley.press("Withdraw link…")
        try parley.see("Withdraw the link?")
        try parley.press("Withdraw")
        try parley.see("The link is withdrawn.")
        try parley.seeNoMore("Aunt Hilda")
    }

    @Test func `an opened link leaves what is typed`() throws {
        let parley = try fake(pause: 500)
        try parley.press("Add a contact")
        try parley.press("Create link")
        try parley.type("https://parley.invalid/inv", into: "Link")
        try parley.press("Copy link")
        try parley.see("Invited friend is now a contact.")
        try parley.see("https://parley.invalid/inv", in: "Link")
    }

    @Test func `somebody nearby becomes a contact when the codes are equal`() throws {
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.press("Nearby…")
        try parley.see("Otto Other-Code")
        parley.screenshot("nearby")
        try parley.press("Connect with Otto Other-Code")
        try parley.see("394 201")
        try parley.press("It Does Not")
        try parley.see("You have not become contacts.")
        try parley.press("Back")
        try parley.press("Connect with Nora Nearby")
        try parley.see("Compare with Nora Nearby")
        parley.screenshot("nearby-code")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("It Matches")
        try parley.see("Nora Nearby is now a contact.")
        try parley.seeNoMore("394 201")
        try parley.seeNoMore("Create link")
    }

    @Test func `a contact is added by their link`() throws {
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.type("not a link", into: "Link")
        try parley.press("Connect")
        try parley.see("This is not a link that Parley can open.")
        try parley.type("  https://parley.invalid/invitation#/?v=2-7  ", into: "Link")
        try parley.press("Connect")
        try parley.see("Friend by link is now a contact.")
        try parley.see("Video call with Friend by link")
    }

    @Test func `a link is scanned with the camera`() throws {
        let parley = try fake(pause: 1_500)
        try parley.press("Add a contact")
        try parley.press("Scan a QR Code…")
        try parley.see("Hold the QR code into the camera.")
        try parley.see("What the camera sees")
        try parley.see("This QR code holds no link that Parley can open.")
        parley.screenshot("scan")
        #expect(parley.accessible.namelessButtons == [])
        try parley.see("Connect with who made this link?")
        try parley.seeNoMore("This QR code holds no link that Parley can open.")
        #expect(!parley.shows("Create link"), "the dialog for a new contact lies over what comes of the code")
        try parley.press("Connect")
        try parley.see("Video call with Friend by link")
    }

    @Test func `a scanned link leaves what is typed`() throws {
        let parley = try fake(pause: 300)
        try parley.press("Add a contact")
        try parley.type("https://parley.invalid/inv", into: "Link")
        try parley.press("Scan a QR Code…")
        try parley.see("Connect with who made this link?")
        try parley.see("https://parley.invalid/inv", in: "Link")
    }

    @Test func `the owner of an address is asked, and nobody has to wait`() throws {
        let parley = try fake()
        try parley.press("Add a contact")
        try parley.type("https://parley.invalid/a#ada", into: "Link")
        try parley.see("This is an address: its owner will be asked.")
        try parley.press("Connect")
        try parley.see("Asked. They become a contact once they accept")
    }

    @Test func `an address is made, copied and deleted`() throws {
        let parley = try fake()
        try parley.choose("Your address", from: "Main menu")
        try parley.press("Create address")
        try parley.see("https://parley.invalid/a#pretended")
        try parley.see("QR code of your address")
        parley.screenshot("address")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Copy address")
        try parley.see("Copied.")
        try parley.press("Delete address")
        try parley.see("Delete the address?")
        try parley.press("Delete")
        try parley.press("Create address")
        try parley.see("https://parley.invalid/a#pretended")
    }

    @Test func `who asks is accepted or declined`() throws {
        let parley = try fake()
        try parley.see("Contacts")
        #expect(!parley.shows("Requests"))
        try parley.choose("Your address", from: "Main menu")
        try parley.press("Create address")
        try parley.see("Rita Requests")
        parley.screenshot("requests")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Decline Sam Stranger")
        try parley.seeNoMore("Sam Stranger")
        try parley.press("Accept Rita Requests")
        try parley.seeNoMore("Accept Rita Requests")
        #expect(!parley.shows("Wants to be a contact"))
        try parley.see("Video call with Rita Requests")
    }

    @Test func `a contact is verified and removed`() throws {
        let parley = try fake()
        try parley.choose("Compare security code", from: "Menu for Dora Declines")
        try parley.see("12345 67890")
        parley.screenshot("security-code")
        try parley.press("Done")
        try parley.seeNoMore("12345 67890")
        try parley.choose("Remove", from: "Menu for Dora Declines")
        try parley.see("Dora Declines was removed.")
        try parley.seeNoMore("Call Dora Declines")
        parley.screenshot("removed")
        try parley.press("Undo")
        try parley.see("Call Dora Declines")
        try parley.choose("Remove", from: "Menu for Dora Declines")
        try parley.seeNoMore("Call Dora Declines")
    }

    @Test func `a contact is blocked once the person has agreed and unblocked again`() throws {
        let parley = try fake()
        try parley.choose("Block", from: "Menu for Dora Declines")
        try parley.see("Block Dora Declines?")
        parley.screenshot("block")
        try parley.press("Cancel")
        try parley.seeNoMore("Block Dora Declines?")
        try parley.see("Call Dora Declines")
        try parley.choose("Block", from: "Menu for Dora Declines")
        try parley.see("Block Dora Declines?")
        try parley.press("Block")
        try parley.see("Blocked: their calls don’t ring here")
        try parley.seeNoMore("Call Dora Declines")
        #expect(!parley.shows("Video call with Dora Declines"))
        parley.screenshot("blocked")
        try parley.choose("Unblock", from: "Menu for Dora Declines")
        try parley.see("Dora Declines is not blocked any more.")
        try parley.see("Call Dora Declines")
    }

    @Test func `how a contact is reached is said and repaired`() throws {
        let parley = try fake(pause: 3_000)
        try parley.see("A relay on the way can’t be reached")
        try parley.see("Their messages can’t be read; repair the connection")
        parley.screenshot("conditions")
        try parley.choose("Repair the connection", from: "Menu for Rosa Repair")
        try parley.see("Repairing the connection…")
        try parley.seeNoMore("Repairing the connection…")
        #expect(!parley.shows("Their messages can’t be read"))
    }

    @Test func `relays are added and removed`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.see("Inside this program")
        parley.screenshot("preferences")
        #expect(parley.accessible.namelessButtons == [])
        try parley.type("nonsense", into: "Address of another relay")
        try parley.press("Add the relay")
        try parley.see("“nonsense” is not a relay address")
        try parley.type("smp://cHJldGVuZGVk@relay.invalid", into: "Address of another relay")
        try parley.press("Add the relay")
        try parley.see("relay.invalid")
        try parley.seeNoMore("Inside this program")
        try parley.type("smp://cHJldGVuZGVk@down.invalid", into: "Address of another relay")
        try parley.press("Add the relay")
        try parley.see("The relay can’t be reached: no answer.")
        try parley.see("The relay down.invalid can’t be reached")
        parley.screenshot("relays")
        try parley.press("Remove the relay down.invalid")
        try parley.seeNoMore("down.invalid")
        try parley.press("Remove the relay relay.invalid")
        try parley.see("Inside this program")
    }

    @Test func `servers for calls are added and removed`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.see("Only through TURN servers")
        try parley.type("nonsense", into: "Address of a server, such as turns:example.org")
        try parley.press("Add the server")
        try parley.see("The address of a server for calls begins with stun:, turn: or turns:.")
        try parley.type("turns:relay.invalid", into: "Address of a server, such as turns:example.org")
        try parley.press("Add the server")
        try parley.see("turns:relay.invalid")
        try parley.see("Tells your public address")
        #expect(parley.accessible.namelessButtons == [])
        parley.screenshot("call-servers")
        try parley.press("Remove the server turns:relay.invalid")
        try parley.seeNoMore("Tells your public address")
    }

    @Test func `a call server is set, tested where nobody listens, and removed`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.see("More than four people in a call need a call server (Janus).")
        let address = "ws://127.0.0.1:\(try SilentServer.closedPort())/"
        try parley.type(address, into: "Call server, such as wss://calls.example.org")
        try parley.type("create", into: "Key for making rooms, if it wants one")
        try parley.press("Save the call server")
        try parley.see("With a key for making rooms")
        #expect(!parley.shows("create"))
        try parley.press("Test the server \(address)")
        try parley.see(
            "The call server can't be reached (connection refused): check address, port and network.")
        #expect(parley.accessible.namelessButtons == [])
        parley.screenshot("call-server")
        try parley.press("Remove the server \(address)")
        try parley.seeNoMore(address)
    }

    @Test func `the key goes under a passphrase that is typed twice`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Key")
        try parley.see("Whoever can read the profile’s folder can open the profile.")
        try parley.press("Use a passphrase")
        try parley.see("Choose a passphrase")
        parley.screenshot("passphrase")
        try parley.type("correct horse", into: "Passphrase")
        #expect(!parley.canPress("Set passphrase"))
        try parley.type("correct horse", into: "The same again")
        try parley.press("Set passphrase")
        try parley.see("Under a passphrase")
        try parley.press("Use the keyring")
        try parley.see("In the keyring")
    }

    @Test func `what keeps the profile from being written stays in sight until it is over`() throws {
        let parley = try fake(pause: 500)
        try parley.press("Call Fay Fills-Disk")
        try parley.see("There is no room left on the disk")
        try parley.press("End the call")
        try parley.press("Back to the contacts")
        try parley.see("Contacts")
        try parley.see("There is no room left on the disk")
        parley.screenshot("trouble")
        try parley.see("The profile can be written again.")
        #expect(!parley.shows("There is no room left on the disk"))
    }
}
