#include "app/devices/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace et::devices {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view localWord = "local:";
constexpr std::string_view sshWord = "ssh://";
constexpr std::string_view adbWord = "adb:";
constexpr std::string_view commandWord = "command:";

/// True for host names, addresses, users and serial numbers; rejects characters with a meaning for a shell or
/// an option parser.
bool isPlain(std::string_view text) {
    return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char each) {
        return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
               std::string_view("._-@:[]%").contains(each);
    });
}

std::unexpected<core::Error> noAddress(std::string_view text) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("expected local:, ssh://user@host[:port], adb:SERIAL or command:, got \"{}\"",
                            core::printable(text)));
}

/// Removes ":port" from an address; IPv6 addresses are in brackets.
Result<std::optional<std::uint16_t>> takePort(std::string_view& host) {
    const std::size_t colon = host.rfind(':');
    const std::size_t bracket = host.rfind(']');
    if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
        return std::nullopt;
    }
    std::uint16_t port = 0;
    const char* const first = host.data() + colon + 1;
    const char* const last = host.data() + host.size();
    if (const auto [end, error] = std::from_chars(first, last, port);
        error != std::errc{} || end != last || port == 0) {
        return fail(ErrorCode::InvalidArgument, fmt::format("expected a port from 1 to 65535, got \"{}\"",
                                                            core::printable(host.substr(colon + 1))));
    }
    host = host.substr(0, colon);
    return port;
}

Result<> readSsh(std::string_view host, Target& target) {
    ET_ASSIGN(target.port, takePort(host));
    // "user@[::1]": ssh expects the address without brackets.
    std::string plain(host);
    std::erase_if(plain, [](char each) { return each == '[' || each == ']'; });
    const std::size_t at = plain.find('@');
    const std::string_view name = at == std::string::npos ? plain : std::string_view(plain).substr(at + 1);
    if (!isPlain(plain) || !isPlain(name)) {
        return noAddress(target.address);
    }
    target.reach = Reach::Ssh;
    target.host = plain;
    return {};
}

}  // namespace

Result<Target> targetOf(std::string_view address) {
    Target target;
    target.address = address;
    if (address == localWord) {
        return target;
    }
    if (address == commandWord) {
        target.reach = Reach::Command;
        return target;
    }
    if (address.starts_with(sshWord)) {
        ET_TRY(readSsh(address.substr(sshWord.size()), target));
        return target;
    }
    if (address.starts_with(adbWord) && isPlain(address.substr(adbWord.size()))) {
        target.reach = Reach::Adb;
        target.host = address.substr(adbWord.size());
        return target;
    }
    return noAddress(address);
}

const std::string& titleOf(const Target& target) {
    return target.name.empty() ? target.address : target.name;
}

std::string shellWord(std::string_view text) {
    std::string quoted = "'";
    for (const char each : text) {
        quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
    }
    return quoted + "'";
}

}  // namespace et::devices
