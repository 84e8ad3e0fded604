import CallControl
import Foundation
import Parley
import Portal
import Wording

/// The Parley that runs in this session and has a profile open.
struct ProfileHolder {
    /// The session bus, on which it is.
    let bus: Bus
    /// The number of its process.
    let processID: Int32

    /// Who has the profile in a folder open, and shows it; nil when it is not the Parley that has its name on the bus. What is asked of
    /// that one over the bus is asked of the profile it shows.
    static func find(_ directory: String) async -> ProfileHolder? {
        guard let bus = try? await Bus.session(),
            case .running(let processID) = try? await ApplicationClient(bus: bus).status(),
            hasOpen(directory + "/lock", processID: processID), !ProfileShelfFile.isBehind(directory)
        else { return nil }
        return ProfileHolder(bus: bus, processID: processID)
    }

    /// Whether a process has a file open, as far as the system tells.
    static func hasOpen(_ file: String, processID: Int32) -> Bool {
        let descriptors = "/proc/\(processID)/fd/"
        let file = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
        return numbers.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: descriptors + $0)) == file
        }
    }
}

/// A command that needs the profile which the running Parley has open.
struct ProfileIsHeld: Error, Worded {
    let directory: String
    let processID: Int32

    var sentence: String {
        tr(
            "The profile %1$s is open in Parley (process %2$s). End that one first, for example by “parley-cli service stop”.",
            directory, processID)
    }
}
