import Agent
import BaseKit

/// Why a profile can't be carried to another machine.
public enum MovingFault: Error, Equatable, Sendable {
    /// The folder has no profile. (path)
    case noProfile(String)
    /// There is something at the place of the file already. (path)
    case fileExists(String)
    /// The file can't be written. (path)
    case notWritten(String)
    /// The file can't be read. (path)
    case notRead(String)
    /// The disk has no room for it. (bytes that are needed)
    case noRoom(Int64)
    /// The file is no profile.
    case notAProfile
    /// A newer Parley has written the file.
    case newer
    /// The file is damaged or cut off.
    case damaged
    /// There is a profile, or something else, in the folder already. (path)
    case folderInUse(String)
}
