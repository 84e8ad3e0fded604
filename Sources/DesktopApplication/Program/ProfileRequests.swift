/// What the windows ask of the profiles.
struct ProfileRequests {
    /// What the list of profiles shows now.
    var rows: @MainActor () -> [ProfileRow]
    /// To make a new one.
    var make: @MainActor () -> Void
    /// To make one of what another machine's Parley has written.
    var bring: @MainActor () -> Void
    /// To keep the one that is shown, which has been brought.
    var brought: @MainActor () -> Void
    /// To show one.
    var show: @MainActor (Int) -> Void
    /// To close one.
    var close: @MainActor (Int) -> Void
    /// To remove one, which the person has agreed to.
    var remove: @MainActor (Int) -> Void
}
