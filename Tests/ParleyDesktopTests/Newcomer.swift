import Testing

/// Somebody who starts the program for the first time.
enum Newcomer {
    /// Goes through the welcome, with a name and a look at the own picture, to the last step, where nobody can reach them yet.
    static func introduce(_ name: String, to parley: RunningProgram) throws {
        try parley.see("Step 1 of 4")
        try parley.type(name, into: "Your name")
        try parley.press("Continue")
        try parley.see("Step 2 of 4")
        try parley.press("Continue")
        try parley.see("Step 3 of 4")
        try parley.turnSwitch("Look at your picture")
        try parley.see("Your picture")
        try parley.press("Continue")
        try parley.see("Step 4 of 4")
        try parley.see("At present nobody else can open your links")
    }
}
