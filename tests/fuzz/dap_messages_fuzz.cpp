// Fuzzes the messages of a client of the debug adapter, and the answers of its engine: the input is a stream
// of messages; the engine answers in turn with the lines after a line "--- answers".
#include "app/cli/dap/message_decoder.h"
#include "app/cli/dap/session.h"
#include "tests/cli/fake_engine.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/lines.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

namespace dap = et::cli::dap;
using et::fuzz::require;

/// Answers of the engine, in turn.
class Answers {
  public:
    explicit Answers(std::string_view text) : lines(et::fuzz::linesOf(text)) {}
    std::string next() { return std::string(lines.empty() ? "{}" : lines[at++ % lines.size()]); }

  private:
    std::vector<std::string_view> lines;
    std::size_t at = 0;
};

/// Adds headers to messages, which seeds have without headers, one on each line.
std::string framed(std::string_view text) {
    std::string stream;
    for (const std::string_view line : et::fuzz::linesOf(text)) {
        stream += line.starts_with('{') ? dap::encodeMessage(line) : std::string(line);
    }
    return stream;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view separator = "--- answers\n";
    constexpr std::size_t maxCommands = 10'000;
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t split = all.find(separator);
    Answers answers(split == std::string_view::npos ? "" : all.substr(split + separator.size()));
    std::vector<std::string> commands;
    std::size_t responses = 0;
    dap::Session session(
        [&](const std::vector<std::string>&) -> et::core::Result<std::unique_ptr<dap::Engine>> {
            return std::make_unique<et::test::FakeEngine>([&](std::string_view) { return answers.next(); },
                                                          commands);
        },
        [&](std::string_view message) {
            require(dap::JsonText::parse(message).has_value());
            responses += message.contains("\"type\": \"response\"") ? 1 : 0;
        },
        [&] { return commands.size() > maxCommands; });
    dap::MessageDecoder decoder;
    decoder.append(framed(all.substr(0, split)));
    while (!session.isOver() && commands.size() <= maxCommands) {
        const auto message = decoder.next();
        if (!message || !*message) {
            break;
        }
        const std::size_t before = responses;
        const auto handled = session.handle(**message);
        require(responses - before <= 1);
        if (!handled) {
            std::ignore = handled.error().toString();
        }
    }
    for (const std::string& command : commands) {
        require(!command.contains('\n'));
    }
    return 0;
}
