// Fuzzes the messages of a client of `et-inspect mcp`, and the documents of commands: the input is a stream
// of messages; commands print in turn the lines after a line "--- documents".
#include "app/cli/dap/json_value.h"
#include "app/cli/mcp/answers.h"
#include "app/cli/mcp/line_decoder.h"
#include "app/cli/mcp/session.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/lines.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace mcp = et::cli::mcp;
using et::fuzz::require;

/// A folder with files that have the signatures of programs, bundled programs and traces.
std::string makeFolder() {
    const auto folder =
        std::filesystem::temp_directory_path() / ("mcp_messages_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    for (const auto& [name, mark] :
         {std::pair{"a.pte", "ET12"}, std::pair{"a.bpte", "BP08"}, std::pair{"a.etdp", "ED00"}}) {
        std::ofstream(folder / name, std::ios::binary)
            << std::string(4, '\0') << mark << std::string(56, '\0');
    }
    return folder.string();
}

/// Removes the folder at exit.
struct Folder {
    std::string path = makeFolder();
    Folder() = default;
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    constexpr std::string_view separator = "--- documents\n";
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t split = all.find(separator);
    const auto documents = et::fuzz::linesOf(
        split == std::string_view::npos ? std::string_view() : all.substr(split + separator.size()));
    std::size_t commands = 0;
    mcp::Answers answers([&](const mcp::CommandCall& call,
                             const mcp::CommandLimits& limits) -> et::core::Result<mcp::CommandOutput> {
        require(!call.arguments.empty());
        limits.progress(0.5, "run");
        mcp::CommandOutput output;
        output.document = documents.empty() ? "{}" : documents[commands++ % documents.size()];
        return output;
    });
    std::deque<std::shared_ptr<mcp::ToolCall>> calls;
    mcp::Session session(
        {.roots = mcp::Roots::make({folder.path}), .version = "0"},
        [](std::string_view message) {
            require(message.ends_with('\n'));
            require(et::cli::dap::JsonText::parse(message).has_value());
        },
        [&](std::shared_ptr<mcp::ToolCall> call) { calls.push_back(std::move(call)); });
    mcp::LineDecoder decoder;
    decoder.append(all.substr(0, split));
    decoder.append("\n");
    while (true) {
        const auto line = decoder.next();
        if (!line) {
            session.reportUnreadable(line.error());
            continue;
        }
        if (!*line) {
            break;
        }
        session.handle(**line, answers.stored());
        while (!calls.empty()) {
            session.perform(*calls.front(), answers);
            calls.pop_front();
        }
    }
    session.giveUpRoots();
    session.cancelAll();
    while (!calls.empty()) {
        session.perform(*calls.front(), answers);
        calls.pop_front();
    }
    require(!session.isBusy());
    return 0;
}
