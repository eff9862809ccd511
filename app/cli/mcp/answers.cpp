#include "app/cli/mcp/answers.h"

#include "app/devices/target.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

namespace et::cli::mcp {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t defaultBytes = 4096;
/// Handles per answer.
constexpr std::size_t maxHandles = 6;

/// A command line for a shell.
std::string commandText(const CommandCall& call) {
    std::string text = "et-inspect";
    for (const std::string& each : call.arguments) {
        const bool isPlain = !each.empty() && std::ranges::all_of(each, [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   std::string_view("-_=./,:+").contains(c);
        });
        text += " " + (isPlain ? each : devices::shellWord(each));
    }
    return text;
}

/// Changes if a file that a command names changes.
std::string stateOfFiles(const CommandCall& call) {
    std::string state;
    for (const std::string& each : call.arguments) {
        const std::size_t start = each.find('/');
        std::error_code error;
        const auto time = start == std::string::npos
                              ? std::filesystem::file_time_type()
                              : std::filesystem::last_write_time(each.substr(start), error);
        if (start != std::string::npos && !error) {
            state += fmt::format("{} {};", time.time_since_epoch().count(),
                                 std::filesystem::file_size(each.substr(start), error));
        }
    }
    return state;
}

/// Names of numbers by their unit, of those in the answer.
Dict unitsOf(const ResultShape& shape, const std::string& json) {
    Dict units;
    for (const ResultField& field : shape.fields) {
        const std::string name(field.path.substr(field.path.rfind('.') + 1));
        if (field.unit.empty() || !json.contains(fmt::format("\"{}\":", name))) {
            continue;
        }
        auto found = std::ranges::find(units, field.unit,
                                       [](const auto& each) { return std::string_view(each.first); });
        if (found == units.end()) {
            units.emplace_back(std::string(field.unit), List());
            found = std::prev(units.end());
        }
        auto& names = std::get<List>(found->second);
        if (!std::ranges::contains(names, Cell(name))) {
            names.emplace_back(name);
        }
    }
    return units;
}

List handlesOf(const std::string& id, const std::vector<ShortenedList>& lists) {
    List all;
    for (const ShortenedList& each : lists) {
        if (all.size() == maxHandles) {
            break;
        }
        all.emplace_back(Dict{{"list", each.path},
                              {"shown", static_cast<std::int64_t>(each.shown)},
                              {"of", static_cast<std::int64_t>(each.size)},
                              {"handle", fmt::format("{}:{}@{}", id, each.path, each.first + each.shown)}});
    }
    return all;
}

Result<Dict> projected(const StoredResult& stored) {
    ET_ASSIGN(const dap::JsonText text, dap::JsonText::parse(stored.document));
    return project(text.root(), *stored.shape);
}

std::string jsonOf(const Cell& cell) {
    std::string json;
    inspector::format::appendJson(json, cell);
    return json;
}

/// An answer of at most `maxBytes`, if there is one.
Dict answerOf(const StoredResult& stored, const Cell& value, const std::vector<std::string>& messages,
              std::size_t maxBytes) {
    Dict answer;
    // The units take part of the space.
    for (std::size_t budget = maxBytes; budget >= maxBytes / 8; budget -= maxBytes / 8) {
        Shortened shortened = shorten(value, budget);
        answer = {{"command", stored.command}, {"result", std::move(shortened.value)}};
        if (Dict units = unitsOf(*stored.shape, jsonOf(answer.back().second)); !units.empty()) {
            answer.emplace_back("units", std::move(units));
        }
        if (!shortened.lists.empty()) {
            answer.emplace_back("more", handlesOf(stored.id, shortened.lists));
        }
        if (!messages.empty()) {
            answer.emplace_back("messages", List(messages.begin(), messages.end()));
        }
        if (jsonOf(answer).size() <= maxBytes) {
            break;
        }
    }
    return answer;
}

}  // namespace

std::shared_ptr<const StoredResult> ResultStore::add(std::string command, const ResultShape& shape,
                                                     std::string document) {
    const std::scoped_lock lock(access);
    auto stored = std::make_shared<const StoredResult>(StoredResult{.id = fmt::format("r{}", ++added),
                                                                    .command = std::move(command),
                                                                    .shape = &shape,
                                                                    .document = std::move(document)});
    bytes += stored->document.size();
    results.push_front(stored);
    while (results.size() > maxResults || (bytes > maxBytes && results.size() > 1)) {
        bytes -= results.back()->document.size();
        results.pop_back();
    }
    return stored;
}

std::shared_ptr<const StoredResult> ResultStore::find(std::string_view id) const {
    const std::scoped_lock lock(access);
    const auto found =
        std::ranges::find(results, id, [](const auto& each) { return std::string_view(each->id); });
    return found == results.end() ? nullptr : *found;
}

std::vector<std::shared_ptr<const StoredResult>> ResultStore::all() const {
    const std::scoped_lock lock(access);
    return {results.begin(), results.end()};
}

Result<Dict> Answers::more(std::string_view handle, std::size_t maxBytes) const {
    const std::size_t colon = handle.find(':');
    const std::size_t at = handle.rfind('@');
    std::size_t first = 0;
    const auto wrongHandle = [&] {
        return fail(
            ErrorCode::NotFound,
            fmt::format("more: no result \"{:.60}\"; repeat the call that returned this handle", handle));
    };
    if (colon == std::string_view::npos || at == std::string_view::npos || at < colon ||
        std::from_chars(handle.begin() + at + 1, handle.end(), first).ptr != handle.end()) {
        return wrongHandle();
    }
    const auto stored = results.find(handle.substr(0, colon));
    if (!stored) {
        return wrongHandle();
    }
    ET_ASSIGN(Dict value, projected(*stored));
    constexpr std::size_t overhead = 700;
    const std::string path(handle.substr(colon + 1, at - colon - 1));
    Shortened shortened =
        shortenAt(value, path, first, maxBytes > 2 * overhead ? maxBytes - overhead : maxBytes / 2);
    if (std::holds_alternative<std::monostate>(shortened.value)) {
        return wrongHandle();
    }
    Dict answer{{"command", stored->command}, {"result", Dict{{"items", std::move(shortened.value)}}}};
    if (Dict units = unitsOf(*stored->shape, jsonOf(answer.back().second)); !units.empty()) {
        answer.emplace_back("units", std::move(units));
    }
    if (!shortened.lists.empty()) {
        answer.emplace_back("more", handlesOf(stored->id, shortened.lists));
    }
    return Dict{{"answers", List{std::move(answer)}}};
}

Result<std::shared_ptr<const StoredResult>> Answers::documentOf(const Step& step, const CommandLimits& limits,
                                                                std::vector<std::string>& messages) {
    const std::string command = commandText(step.call);
    const std::string state = stateOfFiles(step.call);
    const bool isCached = step.isRepeatable && step.call.input.empty();
    if (const auto found = cache.find(command);
        isCached && found != cache.end() && found->second.state == state) {
        if (auto stored = results.find(found->second.id)) {
            messages = found->second.messages;
            return stored;
        }
    }
    ET_ASSIGN(CommandOutput output, run(step.call, limits));
    // A failed check (1) also has a document.
    if (output.document.empty() || output.exitCode > 1) {
        return fail(ErrorCode::InvalidArgument,
                    output.messages.empty()
                        ? fmt::format("{}: no result (exit code {})", command, output.exitCode)
                        : output.messages.back());
    }
    ET_TRY(dap::JsonText::parse(output.document));
    messages = std::move(output.messages);
    auto stored = results.add(command, resultShape(step.shape), std::move(output.document));
    if (isCached) {
        constexpr std::size_t most = 4 * ResultStore::maxResults;
        if (cache.size() >= most) {
            cache.clear();
        }
        cache.insert_or_assign(command, CacheEntry{.state = state, .id = stored->id, .messages = messages});
    }
    return stored;
}

Result<Dict> Answers::answer(const Tool& tool, const dap::JsonValue& given, const Roots& roots,
                             const CommandLimits& limits) {
    ET_ASSIGN(const Arguments arguments, Arguments::parse(given, tool.arguments));
    const auto maxBytes = static_cast<std::size_t>(arguments.integer("max_bytes", defaultBytes));
    if (arguments.has("more")) {
        return more(arguments.text("more"), maxBytes);
    }
    ET_ASSIGN(const std::vector<Step> plan, tool.plan(arguments, roots));
    CommandLimits own = limits;
    own.time = std::chrono::seconds(arguments.integer("max_seconds", 120));
    List answers;
    for (std::size_t at = 0; at < plan.size(); ++at) {
        const auto steps = static_cast<double>(plan.size());
        own.progress = [&](double done, const std::string& phase) {
            if (limits.progress) {
                limits.progress((static_cast<double>(at) + done) / steps, phase);
            }
        };
        own.progress(0, std::string(plan[at].shape));
        std::vector<std::string> messages;
        const auto stored = documentOf(plan[at], own, messages);
        if (!stored && (!plan[at].isOptional || stored.error().code == ErrorCode::Cancelled)) {
            return std::unexpected(stored.error());
        }
        if (!stored) {
            answers.emplace_back(
                Dict{{"command", commandText(plan[at].call)}, {"error", stored.error().toString()}});
            continue;
        }
        ET_ASSIGN(const Dict value, projected(**stored));
        answers.emplace_back(answerOf(**stored, value, messages, (maxBytes - 32) / plan.size()));
    }
    return Dict{{"answers", std::move(answers)}};
}

}  // namespace et::cli::mcp
