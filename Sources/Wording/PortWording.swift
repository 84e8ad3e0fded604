import Parley
import PortMapping

extension PortOpenness {
    /// What the router and others say, and what to do.
    public var sentence: String {
        switch mapping {
        case .asking: tr("The router is being asked to open the port…")
        case .open(let mapped): sentence(of: mapped)
        case .behindAnotherRouter(let mapped):
            tr(
                "The router forwards the port, but is behind another router itself: its own address outside is %1$s. People elsewhere reach you only if the other one forwards port %2$s to it. Links do not lead there.",
                mapped.address, Int(mapped.port))
        case .refused(let reason): reason.sentence
        case .unanswered:
            tr(
                "No router answers. Switch on PCP, NAT-PMP or UPnP in the router’s settings, or have it forward port %s of TCP to this computer.",
                Int(port))
        case .lost(nil): tr("The router had opened the port and does not answer any more. It is asked again.")
        case .lost(let reason?): tr("The router had opened the port and has closed it again. %s", reason.sentence)
        }
    }

    private func sentence(of mapped: MappedPort) -> String {
        switch trial {
        case .none:
            tr(
                "The router says that it forwards port %1$s of %2$s. Whether others reach it could not be tried from here.",
                Int(mapped.port), mapped.address)
        case .running:
            tr(
                "The router says that it forwards port %1$s of %2$s. A relay elsewhere is trying it…", Int(mapped.port),
                mapped.address)
        case .reached(let host):
            tr(
                "The router forwards port %1$s of %2$s. The relay %3$s has reached you there.", Int(mapped.port),
                mapped.address, host)
        case .unreached(let host):
            tr(
                "The router says that it forwards port %1$s of %2$s, but the relay %3$s did not reach you there. A firewall, the provider or another router may be in between. Links do not lead there.",
                Int(mapped.port), mapped.address, host)
        }
    }
}

extension RouterRefusal: Worded {
    public var sentence: String {
        switch self {
        case .notAuthorized:
            tr("The router does not open ports for this computer. Its settings say who may ask (PCP, NAT-PMP, UPnP).")
        case .noExternalAddress:
            tr("The router opens no port, as it has no public address: it is offline, or behind another router.")
        case .noResources: tr("The router opens no more ports. Close those in its settings that nobody needs.")
        case .portTaken: tr("The router has opened the port for another computer already.")
        case .anotherInBetween:
            tr("The router opens no port, as another router is between it and this computer. Ask that one’s owner.")
        case .other(let way, let number):
            tr("The router does not open the port: it answers with error %1$s of %2$s.", number, way.name)
        }
    }
}

extension PortMappingWay {
    /// Its name, which is the same in all languages.
    fileprivate var name: String {
        switch self {
        case .pcp: "PCP"
        case .natPMP: "NAT-PMP"
        case .upnp: "UPnP"
        }
    }
}
