#include "app/devices/agent_files.h"

#include "inspector/format/checksum.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/carried_file.h"
#include "runtime/core/own_programs.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace et::devices {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Fields of the ELF header: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
constexpr std::size_t machineOffset = 18;
constexpr std::string_view elfMagic =
    "\x7f"
    "ELF";

struct MachineName {
    std::uint16_t code;  ///< e_machine
    std::string_view name;
};
constexpr std::array machines{MachineName{62, "x86_64"}, MachineName{183, "aarch64"}};

Result<AgentFile> readAgent(std::shared_ptr<const core::MappedFile> file) {
    core::ByteReader reader(file->bytes());
    const auto magic = reader.take(elfMagic.size(), "magic");
    const auto code =
        reader.seek(machineOffset, "machine").and_then([&] { return reader.read<std::uint16_t>("machine"); });
    const bool isElf =
        magic && std::string_view(reinterpret_cast<const char*>(magic->data()), magic->size()) == elfMagic;
    for (const MachineName& each : machines) {
        if (isElf && code && *code == each.code) {
            std::string hash = inspector::format::sha256(file->bytes());
            return AgentFile{
                .machine = std::string(each.name), .hash = std::move(hash), .file = std::move(file)};
        }
    }
    return fail(ErrorCode::Format, "not an agent: expected an executable for x86_64 or aarch64",
                {.file = file->name(), .field = {}, .offset = {}});
}

Result<AgentFile> openAgent(const fs::path& path) {
    ET_ASSIGN(auto file, core::MappedFile::open(path));
    return readAgent(std::move(file));
}

/// Returns the folder on the device as a word of the device's shell. Android has no home directory, but a
/// folder for executables.
std::string folderWord(const Target& target) {
    return target.folder.empty() ? R"("$d")" : shellWord(target.folder);
}

std::string folderLine(const Target& target) {
    return target.folder.empty() ? "if [ -d /data/local/tmp ]; then d=/data/local/tmp/et-agent; "
                                   R"(else d="${XDG_CACHE_HOME:-$HOME/.cache}/et-agent"; fi; )"
                                 : fmt::format("d={}; ", shellWord(target.folder));
}

}  // namespace

Result<std::vector<AgentFile>> agentFiles(const Target& target) {
    std::vector<AgentFile> agents;
    if (!target.agent.empty()) {
        ET_ASSIGN(AgentFile agent, openAgent(target.agent));
        agents.push_back(std::move(agent));
        return agents;
    }
    for (const core::OwnProgram each : {core::OwnProgram::Agent, core::OwnProgram::AgentArm64}) {
        if (const fs::path path = core::findOwnProgram(each); !path.empty()) {
            ET_ASSIGN(AgentFile agent, openAgent(path));
            agents.push_back(std::move(agent));
        }
    }
    for (const MachineName& each : machines) {
        ET_ASSIGN(auto carried, core::openCarried(fmt::format("et-agent-{}", each.name)));
        if (carried != nullptr) {
            ET_ASSIGN(AgentFile agent, readAgent(std::move(carried)));
            agents.push_back(std::move(agent));
        }
    }
    if (agents.empty()) {
        return fail(ErrorCode::NotFound,
                    "et-agent is not installed: build it, or set its path in the target");
    }
    return agents;
}

std::string startLine(const Target& target, const std::vector<AgentFile>& agents, std::string_view session) {
    // Concurrent sessions upload the agent to separate files.
    std::string line = folderLine(target) + fmt::format("s={}; m=$(uname -m); case $m in ", session);
    for (const AgentFile& each : agents) {
        const std::string_view also = each.machine == "aarch64" ? "|arm64" : "";
        line += fmt::format("{}{}) h={};; ", each.machine, also, each.hash);
    }
    line += "*) echo \"et-agent none $m\"; exit 0;; esac; ";
    line += fmt::format("f={}/bin/et-agent-$h; ", folderWord(target));
    line += fmt::format("if [ -x \"$f\" ]; then exec \"$f\" serve {} {}; fi; ", folderWord(target), session);
    return line +
           fmt::format(
               "mkdir -p {}/bin && echo \"et-agent missing $m $(cat \"$f.$s.part\" 2>/dev/null | wc -c)\"",
               folderWord(target));
}

std::string uploadLine(const Target& target, const AgentFile& agent, std::string_view session) {
    std::string line = folderLine(target) +
                       fmt::format("s={}; f={}/bin/et-agent-{}; ", session, folderWord(target), agent.hash);
    line += "cat >> \"$f.$s.part\"; ";
    line +=
        fmt::format("[ \"$(cat \"$f.$s.part\" | wc -c)\" -ge {} ] || exit 1; ", agent.file->bytes().size());
    // A damaged upload starts over.
    line += fmt::format(
        "k=$(sha256sum < \"$f.$s.part\" 2>/dev/null) && "
        "[ \"${{k%% *}}\" != {} ] && {{ rm -f \"$f.$s.part\"; exit 1; }}; ",
        agent.hash);
    return line + "chmod 755 \"$f.$s.part\" && mv \"$f.$s.part\" \"$f\" && echo \"et-agent stored\"";
}

}  // namespace et::devices
