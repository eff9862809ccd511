#include "app/tasks/probe/probe_set.h"

#include "app/tasks/base/output_file.h"
#include "inspector/format/json_text.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;
using simdjson::dom::element;

constexpr std::int64_t setSchema = 1;
constexpr std::uint64_t maxFileBytes = std::uint64_t{64} << 20U;
constexpr std::size_t maxNameLength = 100;
constexpr std::int64_t maxSize = std::int64_t{1} << 40U;

constexpr std::array<std::string_view, 3> verdictNames{"pending", "right", "wrong"};
constexpr std::array<std::string_view, 2> fillNames{"model", "nan"};
constexpr std::array<std::string_view, 2> backendNames{"xnnpack", "none"};

Cell textList(const std::vector<std::string>& texts) {
    return List(texts.begin(), texts.end());
}

Dict subjectInfo(const ProbedSubject& subject) {
    List axes;
    for (const ProbedAxis& axis : subject.axes) {
        axes.emplace_back(Dict{
            {"name", axis.name},
            {"size", axis.size},
            {"channel", axis.isChannel},
            {"unavailable", std::vector<std::int64_t>(axis.unavailable.begin(), axis.unavailable.end())}});
    }
    return {{"name", subject.name},
            {"kind", subject.kind},
            {"shapes", subject.shapes},
            {"dtypes", subject.dtypes},
            {"nodes", textList(subject.nodes)},
            {"whole", subject.isWhole},
            {"axes", std::move(axes)}};
}

Dict probeInfo(const Probe& probe) {
    return {{"name", probe.name},
            {"round", std::uint64_t{probe.round}},
            {"subject", std::uint64_t{probe.subject}},
            {"axis", probe.axis ? Cell(std::uint64_t{*probe.axis}) : Cell()},
            {"size", probe.size},
            {"values", std::string(fillNames[static_cast<std::size_t>(probe.fill)])},
            {"delegated", probe.isDelegated},
            {"verdict", std::string(probeVerdictName(probe.verdict))},
            {"note", probe.note}};
}

/// Reads members of an object, with errors that name them.
class MemberReader {
  public:
    MemberReader(element object, std::string path) : root(object), name(std::move(path)) {}

    template <class T>
    Result<> read(std::string_view key, T& into) const {
        return get(root[key], key, into);
    }
    template <class T>
    Result<> read(std::string_view key, std::optional<T>& into) const {
        element value;
        if (root[key].get(value) == simdjson::SUCCESS && value.is_null()) {
            into.reset();
            return {};
        }
        return read(key, into.emplace());
    }
    Result<> read(std::string_view key, std::vector<std::string>& into) const {
        ET_ASSIGN(const simdjson::dom::array items, list(key));
        for (const element item : items) {
            ET_TRY(get(item, key, into.emplace_back()));
        }
        return {};
    }
    Result<> read(std::string_view key, std::set<std::int64_t>& into) const {
        ET_ASSIGN(const simdjson::dom::array items, list(key));
        for (const element item : items) {
            std::int64_t number = 0;
            ET_TRY(get(item, key, number));
            into.insert(number);
        }
        return {};
    }
    /// The position of a name in a table.
    template <class T, std::size_t count>
    Result<> read(std::string_view key, T& into, const std::array<std::string_view, count>& names) const {
        std::string text;
        ET_TRY(read(key, text));
        const auto* const found = std::ranges::find(names, text);
        if (found == names.end()) {
            return refuse(key, fmt::format("one of {}", fmt::join(names, ", ")));
        }
        into = static_cast<T>(found - names.begin());
        return {};
    }
    Result<> readSize(std::string_view key, std::int64_t& into) const {
        ET_TRY(read(key, into));
        return into < 0 || into > maxSize ? refuse(key, "a size") : Result<>();
    }

    [[nodiscard]] Result<simdjson::dom::array> list(std::string_view key) const {
        simdjson::dom::array items;
        if (root[key].get(items) != simdjson::SUCCESS) {
            return refuse(key, "a list");
        }
        return items;
    }
    [[nodiscard]] std::unexpected<core::Error> refuse(std::string_view key, std::string_view expected) const {
        return core::fail(ErrorCode::Format, fmt::format("expected {}", expected),
                          {.file = {}, .field = name + std::string(key), .offset = {}});
    }

  private:
    template <class Value>
    Result<> get(Value value, std::string_view key, std::string& into) const {
        std::string_view text;
        if (value.get(text) != simdjson::SUCCESS) {
            return refuse(key, "a string");
        }
        into = text;
        return {};
    }
    template <class Value, class T>
    Result<> get(Value value, std::string_view key, T& into) const {
        return value.get(into) != simdjson::SUCCESS
                   ? Result<>(refuse(key, std::is_same_v<T, bool> ? "true or false" : "a number"))
                   : Result<>();
    }

    element root;
    std::string name;
};

Result<ProbedSubject> readSubject(const MemberReader& reader, const std::string& path) {
    ProbedSubject subject;
    ET_TRY(reader.read("name", subject.name));
    ET_TRY(reader.read("kind", subject.kind));
    ET_TRY(reader.read("shapes", subject.shapes));
    ET_TRY(reader.read("dtypes", subject.dtypes));
    ET_TRY(reader.read("nodes", subject.nodes));
    ET_TRY(reader.read("whole", subject.isWhole));
    ET_ASSIGN(const simdjson::dom::array axes, reader.list("axes"));
    for (const element each : axes) {
        const MemberReader item(each, fmt::format("{}axes[{}].", path, subject.axes.size()));
        ProbedAxis& axis = subject.axes.emplace_back();
        ET_TRY(item.read("name", axis.name));
        ET_TRY(item.readSize("size", axis.size));
        ET_TRY(item.read("channel", axis.isChannel));
        ET_TRY(item.read("unavailable", axis.unavailable));
        if (axis.size == 0) {
            return item.refuse("size", "a size above 0");
        }
    }
    return subject;
}

/// Names become paths.
bool isFileName(std::string_view name) {
    return !name.empty() && name.size() <= maxNameLength && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

Result<Probe> readProbe(const MemberReader& reader, const ProbeSet& set) {
    Probe probe;
    ET_TRY(reader.read("name", probe.name));
    ET_TRY(reader.read("round", probe.round));
    ET_TRY(reader.read("subject", probe.subject));
    ET_TRY(reader.read("axis", probe.axis));
    ET_TRY(reader.readSize("size", probe.size));
    ET_TRY(reader.read("values", probe.fill, fillNames));
    ET_TRY(reader.read("delegated", probe.isDelegated));
    ET_TRY(reader.read("verdict", probe.verdict, verdictNames));
    ET_TRY(reader.read("note", probe.note));
    if (!isFileName(probe.name)) {
        return reader.refuse("name", "a name of letters, digits and _");
    }
    if (probe.subject >= set.subjects.size()) {
        return reader.refuse("subject", fmt::format("a number below {}", set.subjects.size()));
    }
    if (probe.axis && *probe.axis >= set.subjects[probe.subject].axes.size()) {
        return reader.refuse("axis",
                             fmt::format("a number below {}", set.subjects[probe.subject].axes.size()));
    }
    return probe;
}

Result<ProbeSet> readSet(const element& root) {
    const MemberReader reader(root, {});
    std::int64_t schema = 0;
    ET_TRY(reader.read("schema", schema));
    if (schema != setSchema) {
        return reader.refuse("schema", fmt::format("{}", setSchema));
    }
    ProbeSet set;
    ET_TRY(reader.read("model", set.model));
    ET_TRY(reader.read("record", set.record));
    ET_TRY(reader.read("method", set.method));
    ET_TRY(reader.read("device", set.device));
    ET_TRY(reader.read("backend", set.backend, backendNames));
    ET_TRY(reader.read("limit", set.limit));
    ET_TRY(reader.read("seed", set.seed));
    ET_TRY(reader.read("inputs", set.inputs));
    ET_TRY(reader.read("only", set.only));
    ET_TRY(reader.read("delegate", set.delegate));
    ET_ASSIGN(const simdjson::dom::array subjects, reader.list("subjects"));
    for (const element each : subjects) {
        const std::string path = fmt::format("subjects[{}].", set.subjects.size());
        ET_ASSIGN(ProbedSubject subject, readSubject(MemberReader(each, path), path));
        set.subjects.push_back(std::move(subject));
    }
    ET_ASSIGN(const simdjson::dom::array probes, reader.list("probes"));
    for (const element each : probes) {
        ET_ASSIGN(Probe probe,
                  readProbe(MemberReader(each, fmt::format("probes[{}].", set.probes.size())), set));
        set.probes.push_back(std::move(probe));
    }
    return set;
}

}  // namespace

std::string_view probeVerdictName(ProbeVerdict verdict) {
    return verdictNames[static_cast<std::size_t>(verdict)];
}

std::size_t ProbeSet::count(ProbeVerdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count(probes, verdict, &Probe::verdict));
}

std::size_t ProbeSet::rounds() const {
    std::size_t last = 0;
    for (const Probe& probe : probes) {
        last = std::max(last, probe.round);
    }
    return last;
}

std::filesystem::path probeSetFile(const std::filesystem::path& folder) {
    return folder / "probes.json";
}

Result<> saveProbeSet(const ProbeSet& set, const std::filesystem::path& folder) {
    List subjects;
    for (const ProbedSubject& each : set.subjects) {
        subjects.emplace_back(subjectInfo(each));
    }
    List probes;
    for (const Probe& each : set.probes) {
        probes.emplace_back(probeInfo(each));
    }
    const std::string text = inspector::format::jsonDocument(
        setSchema, {{"model", set.model},
                    {"record", set.record},
                    {"method", set.method},
                    {"device", set.device},
                    {"backend", std::string(backendNames[static_cast<std::size_t>(set.backend)])},
                    {"limit", std::uint64_t{set.limit}},
                    {"seed", set.seed},
                    {"inputs", textList(set.inputs)},
                    {"only", textList(set.only)},
                    {"delegate", set.delegate ? Cell(std::uint64_t{*set.delegate}) : Cell()},
                    {"subjects", std::move(subjects)},
                    {"probes", std::move(probes)}});
    return writeFile(probeSetFile(folder), producerOf(text));
}

Result<ProbeSet> loadProbeSet(const std::filesystem::path& folder) {
    const std::filesystem::path path = probeSetFile(folder);
    ET_ASSIGN(const auto file, core::MappedFile::open(path, maxFileBytes));
    const core::Bytes bytes = file->bytes();
    const auto refuse = [&](core::Error error) { return std::move(error).in(path.string()); };
    if (bytes.size() > maxFileBytes) {
        return std::unexpected(
            refuse(core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} bytes, got {}", maxFileBytes, bytes.size()))
                       .error()));
    }
    simdjson::dom::parser parser;
    element root;
    const simdjson::padded_string padded(
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    if (parser.parse(padded).get(root) != simdjson::SUCCESS || !root.is_object()) {
        return std::unexpected(refuse(core::fail(ErrorCode::Format, "expected a JSON object").error()));
    }
    return readSet(root).transform_error(refuse);
}

}  // namespace et::tasks
