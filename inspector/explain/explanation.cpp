#include "inspector/explain/explanation.h"

#include "inspector/fit/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace et::inspector {
namespace {

constexpr std::size_t maxCauses = 6;

/// Fields that contain a code of the runtime, and their base.
constexpr std::pair<std::string_view, int> codeFields[] = {{"code", 16}, {"code10", 10}, {"codeName", 0}};

std::optional<std::uint32_t> parseCode(std::string_view text, int base) {
    if (base == 0) {
        const auto all = errorCodes();
        const auto found = std::ranges::find(all, text, &ErrorCodeInfo::name);
        return found == all.end() ? std::nullopt : std::optional(found->code);
    }
    if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) {
        text.remove_prefix(2);
    }
    std::uint32_t code = 0;
    const char* const end = std::to_address(text.end());
    const auto [at, error] = std::from_chars(std::to_address(text.begin()), end, code, base);
    return error == std::errc() && at == end ? std::optional(code) : std::nullopt;
}

std::optional<std::uint32_t> codeOf(const Sighting& sighting) {
    for (const auto& [field, base] : codeFields) {
        const auto found =
            std::ranges::find(sighting.fields, field, &std::pair<std::string_view, std::string>::first);
        if (found != sighting.fields.end()) {
            return parseCode(found->second, base);
        }
    }
    const std::uint32_t fixed = MessageIndex::get().message(sighting.message).code;
    return fixed == 0 ? std::nullopt : std::optional(fixed);
}

/// Index of the first sighting with the most telling role.
std::optional<std::size_t> selectFailure(const LogContent& log) {
    constexpr std::array order{MessageRole::Reason, MessageRole::General, MessageRole::Crash,
                               MessageRole::Outcome, MessageRole::Harmless};
    for (const MessageRole role : order) {
        const auto found = std::ranges::find(log.sightings, role, &Sighting::role);
        if (found != log.sightings.end()) {
            return static_cast<std::size_t>(found - log.sightings.begin());
        }
    }
    return std::nullopt;
}

bool isReason(MessageRole role) {
    return role == MessageRole::Reason || role == MessageRole::General || role == MessageRole::Crash;
}

/// End of the lines that follow from the failure: a further reason after the line of an outcome starts
/// another failure.
std::size_t endOfFailure(const LogContent& log, std::size_t failure) {
    std::optional<std::uint64_t> outcome;
    for (std::size_t i = failure + 1; i < log.sightings.size(); ++i) {
        const Sighting& next = log.sightings[i];
        if (outcome && next.line > *outcome && isReason(next.role) &&
            next.message != log.sightings[failure].message) {
            return i;
        }
        if (next.role == MessageRole::Outcome) {
            outcome = next.line;
        }
    }
    return log.sightings.size();
}

void addFields(Facts& facts, const Sighting& sighting) {
    for (const auto& [name, value] : sighting.fields) {
        facts.try_emplace(std::string(name), value);
    }
}

/// Fields of the failure, then of the lines after it, then of those before it, nearest first.
Facts collectFacts(const LogContent& log, std::size_t failure, std::size_t end) {
    Facts facts;
    for (std::size_t i = failure; i < end; ++i) {
        addFields(facts, log.sightings[i]);
        if (!log.sightings[i].source.empty()) {
            facts.try_emplace("source", log.sightings[i].source);
        }
    }
    for (std::size_t i = failure; i-- > 0;) {
        addFields(facts, log.sightings[i]);
    }
    for (std::size_t i = failure; i < end; ++i) {
        if (const auto code = codeOf(log.sightings[i])) {
            facts.insert_or_assign("code", fmt::format("{:#x}", *code));
            break;
        }
    }
    addDerivedFacts(facts);
    return facts;
}

std::vector<std::uint32_t> collectCodes(const LogContent& log, std::size_t failure, std::size_t end) {
    std::vector<std::uint32_t> codes;
    for (std::size_t i = failure; i < end; ++i) {
        const auto code = codeOf(log.sightings[i]);
        if (code && *code != 0 && !std::ranges::contains(codes, *code)) {
            codes.push_back(*code);
        }
    }
    return codes;
}

std::string quoted(const Sighting& sighting) {
    const std::size_t end = sighting.text.find_last_not_of(".: ");
    return fmt::format("line {}: {}", sighting.line, std::string_view(sighting.text).substr(0, end + 1));
}

std::string evidenceOf(const Cause& cause, const Facts& facts, const Sighting& sighting) {
    std::string out = quoted(sighting);
    std::string_view rest = cause.evidence;
    constexpr std::string_view separator = " || ";
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(separator));
        rest.remove_prefix(std::min(one.size() + separator.size(), rest.size()));
        if (const auto text = expanded(one, facts); text && !text->empty()) {
            constexpr std::string_view blanks = "; ";
            const std::size_t start = text->find_first_not_of(blanks);
            return start == std::string::npos ? out : out + "; " + text->substr(start);
        }
    }
    return out;
}

/// The facts for each operator that the failure names: a log lists all missing operators.
std::vector<Facts> factsOfOperators(const LogContent& log, std::size_t failure, std::size_t end,
                                    const Facts& facts) {
    std::vector<Facts> all{facts};
    std::vector<std::string> seen{facts.contains("op") ? facts.find("op")->second : std::string()};
    for (std::size_t i = failure + 1; i < end; ++i) {
        if (log.sightings[i].message != log.sightings[failure].message) {
            continue;
        }
        for (const auto& [name, value] : log.sightings[i].fields) {
            if (name == "op" && !std::ranges::contains(seen, value)) {
                seen.push_back(value);
                Facts other = facts;
                other.insert_or_assign("op", value);
                addDerivedFacts(other);
                all.push_back(std::move(other));
            }
        }
    }
    return all;
}

/// The facts of the first operator for which the cause applies, with the names of all.
std::optional<Facts> factsOfCause(const Cause& cause, const std::vector<Facts>& operators,
                                  const LogContent& log) {
    std::optional<Facts> out;
    std::size_t others = 0;
    constexpr std::size_t named = 4;
    for (const Facts& facts : operators) {
        if (!holds(cause.when, facts, log)) {
            continue;
        }
        if (!out) {
            out = facts;
        } else if (++others < named) {
            out->find("op")->second += ", " + facts.find("op")->second;
        }
    }
    if (others >= named) {
        out->find("op")->second += fmt::format(" and {} more", others - named + 1);
    }
    return out;
}

/// The causes of a message that apply, in the order of the table.
void addCauses(std::vector<ExplainedCause>& causes, std::string_view message,
               const std::vector<Facts>& operators, const LogContent& log, const Sighting& sighting) {
    for (const std::span<const Cause> table : knownCauses()) {
        for (const Cause& cause : table) {
            const auto facts = cause.message == message ? factsOfCause(cause, operators, log) : std::nullopt;
            if (!facts) {
                continue;
            }
            const auto text = expanded(cause.cause, *facts);
            const auto remedy = expanded(cause.remedy, *facts);
            if (!text || !remedy || std::ranges::contains(causes, *text, &ExplainedCause::cause)) {
                continue;
            }
            const bool isCertain = !cause.certainWhen.empty() && holds(cause.certainWhen, *facts, log);
            causes.push_back({.cause = *text,
                              .evidence = evidenceOf(cause, *facts, sighting),
                              .remedy = *remedy,
                              .confidence = isCertain ? Confidence::Certain : cause.confidence});
        }
    }
}

std::vector<ExplainedCause> collectCauses(const LogContent& log, std::size_t failure, std::size_t end,
                                          const Facts& facts) {
    std::vector<ExplainedCause> causes;
    const MessageIndex& index = MessageIndex::get();
    addCauses(causes, index.message(log.sightings[failure].message).id,
              factsOfOperators(log, failure, end, facts), log, log.sightings[failure]);
    std::ranges::stable_sort(causes, {}, &ExplainedCause::confidence);
    // Other lines of the same failure explain it only if its own message has no causes.
    for (std::size_t i = failure + 1; i < end && causes.empty(); ++i) {
        if (isReason(log.sightings[i].role) || log.sightings[i].role == MessageRole::Detail) {
            addCauses(causes, index.message(log.sightings[i].message).id, {facts}, log, log.sightings[i]);
        }
    }
    if (causes.empty() && facts.contains("code")) {
        addCauses(causes, "code", {facts}, log, log.sightings[failure]);
    }
    causes.resize(std::min(causes.size(), maxCauses));
    return causes;
}

/// Whether a cause depends on errors of delegates.
bool usesDelegateErrors(const Cause& cause) {
    constexpr std::string_view fact = "program.delegateError";
    return cause.when.contains(fact) || cause.certainWhen.contains(fact) || cause.evidence.contains(fact) ||
           cause.cause.contains(fact);
}

/// Whether that is so for a cause of one of the failure's messages.
bool concernsDelegates(const LogContent& log, std::size_t failure, std::size_t end) {
    const MessageIndex& index = MessageIndex::get();
    for (const std::span<const Cause> table : knownCauses()) {
        for (const Cause& cause : table) {
            for (std::size_t i = failure; i < end && usesDelegateErrors(cause); ++i) {
                if (index.message(log.sightings[i].message).id == cause.message) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// Facts to print, with their labels.
constexpr std::pair<std::string_view, std::string_view> shownFacts[] = {
    {"program.method.name", "method"},        {"op", "operator"},
    {"program.place", "instruction"},         {"program.arguments", "arguments"},
    {"program.delegate", "delegate"},         {"program.python", "Python"},
    {"program.node", "node of the delegate"}, {"program.input", "input expected"},
    {"program.pools", "memory plan"},         {"program.backends", "delegates"},
    {"program.release", "releases"},          {"program.note", "note"},
};

std::vector<FailureDetail> collectDetails(const Facts& facts) {
    std::vector<FailureDetail> details;
    for (const auto& [fact, label] : shownFacts) {
        if (const auto found = facts.find(fact); found != facts.end()) {
            details.push_back({.name = std::string(label), .text = found->second});
        }
    }
    return details;
}

std::vector<std::string> thingsToSend(const LogContent& log) {
    std::vector<std::string> send{"the whole log from the start of the program, with logging enabled",
                                  "versions of ExecuTorch at export and in the runtime",
                                  "the output of `et-inspect info MODEL` and the export script"};
    if (!log.unknown.empty()) {
        send.front() +=
            fmt::format(" (line {} is an error without an entry in the table)", log.unknown.front().line);
    }
    return send;
}

/// The first unknown line of the runtime among those shortly before a line.
const UnknownLine* unknownBefore(const LogContent& log, std::uint64_t line) {
    constexpr std::uint64_t near = 12;
    const auto found = std::ranges::find_if(log.unknown, [&](const UnknownLine& each) {
        return each.isRuntime && each.line <= line && each.line + near > line;
    });
    return found == log.unknown.end() ? nullptr : &*found;
}

/// Whether a failure only repeats what another line has named.
bool namesNoReason(const Sighting& sighting) {
    const std::string_view id = MessageIndex::get().message(sighting.message).id;
    return sighting.role == MessageRole::Outcome || sighting.role == MessageRole::Crash ||
           id == "kernel-failed" || id == "delegate-failed" || id == "delegate-init";
}

Explanation unexplained(const LogContent& log) {
    Explanation out;
    const auto runtime = std::ranges::find_if(log.unknown, &UnknownLine::isRuntime);
    if (log.unknown.empty()) {
        out.failure =
            log.bytes == 0 ? "The log is empty" : "No line of the log is a known failure of ExecuTorch";
    } else {
        const UnknownLine& first = runtime == log.unknown.end() ? log.unknown.front() : *runtime;
        out.failure = fmt::format("Unknown failure; the first line that looks like an error is line {}: {}",
                                  first.line, first.text);
    }
    out.send = thingsToSend(log);
    return out;
}

void setPlace(Explanation& out, const Facts& facts) {
    const auto method = facts.find("program.method.name");
    const auto instruction = facts.find("program.instruction");
    if (method != facts.end() && instruction != facts.end()) {
        if (const auto number = parseCode(instruction->second, 10)) {
            out.place = {.method = method->second, .instruction = static_cast<std::int32_t>(*number)};
        }
    }
}

}  // namespace

Explanation explain(const LogContent& log, const AddFacts& addProgram) {
    const auto failure = selectFailure(log);
    if (!failure) {
        return unexplained(log);
    }
    const Sighting& first = log.sightings[*failure];
    const Message& message = MessageIndex::get().message(first.message);
    const std::size_t end = endOfFailure(log, *failure);
    Facts facts = collectFacts(log, *failure, end);
    const UnknownLine* const unknown = namesNoReason(first) ? unknownBefore(log, first.line) : nullptr;
    if (unknown != nullptr) {
        facts.insert_or_assign("unknown", unknown->text);
    }
    if (addProgram) {
        addProgram(facts, concernsDelegates(log, *failure, end));
    }
    Explanation out{.known = true,
                    .message = std::string(message.id),
                    .failure = expanded(message.meaning, facts).value_or(first.text),
                    .details = collectDetails(facts),
                    .causes = collectCauses(log, *failure, end, facts),
                    .codes = collectCodes(log, *failure, end),
                    .send = thingsToSend(log)};
    if (unknown != nullptr) {
        out.known = first.role != MessageRole::Outcome && first.role != MessageRole::Crash;
        out.failure += fmt::format("; the reason is in line {}, which is not a known message: {}",
                                   unknown->line, unknown->text);
    }
    if (first.role == MessageRole::Outcome && out.causes.empty()) {
        out.known = false;
    }
    setPlace(out, facts);
    return out;
}

}  // namespace et::inspector
