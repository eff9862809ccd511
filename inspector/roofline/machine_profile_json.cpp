#include "inspector/format/json_text.h"
#include "inspector/roofline/machine_profile.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>

namespace et::inspector {

namespace dom = simdjson::dom;
using core::ErrorCode;
using core::Result;

namespace {

constexpr std::size_t mostProfileBytes = std::size_t{1} << 20;
constexpr std::uint64_t profileSchema = 1;
constexpr std::size_t mostRates = 1000;
constexpr std::uint64_t mostThreadsOfMachine = 1 << 16;

std::unexpected<core::Error> wrongField(const std::string& field, std::string_view expected) {
    return core::fail(ErrorCode::Format, fmt::format("expected {}", expected), {.field = field});
}

/// An object and its path for error messages.
struct ProfileObject {
    dom::object object;
    std::string place{};

    [[nodiscard]] std::string fieldName(std::string_view name) const {
        return place.empty() ? std::string(name) : fmt::format("{}.{}", place, name);
    }
    [[nodiscard]] Result<std::string> text(std::string_view name) const {
        std::string_view found;
        if (object[name].get(found) != simdjson::SUCCESS || found.size() > 1000) {
            return wrongField(fieldName(name), "a string of at most 1000 bytes");
        }
        return std::string(found);
    }
    /// Reads a finite, non-negative number.
    [[nodiscard]] Result<double> number(std::string_view name) const {
        double found = 0;
        if (object[name].get(found) != simdjson::SUCCESS || !std::isfinite(found) || found < 0) {
            return wrongField(fieldName(name), "a non-negative number");
        }
        return found;
    }
    [[nodiscard]] Result<double> positive(std::string_view name) const {
        const Result<double> found = number(name);
        return found && *found <= 0 ? wrongField(fieldName(name), "a number above 0") : found;
    }
    /// As number(); 0 if the field is missing or null.
    [[nodiscard]] Result<double> numberOrNone(std::string_view name) const {
        const auto found = object[name];
        const bool isThere = found.error() != simdjson::NO_SUCH_FIELD && !found.is_null();
        return isThere ? number(name) : Result<double>(0);
    }
    [[nodiscard]] Result<std::uint64_t> integer(std::string_view name, std::uint64_t least,
                                                std::uint64_t most) const {
        std::uint64_t found = 0;
        if (object[name].get(found) != simdjson::SUCCESS || found < least || found > most) {
            return wrongField(fieldName(name), fmt::format("an integer from {} to {}", least, most));
        }
        return found;
    }
    [[nodiscard]] Result<std::size_t> threads() const {
        return integer("threads", 1, mostThreadsOfMachine).transform([](std::uint64_t found) {
            return static_cast<std::size_t>(found);
        });
    }
};

Result<std::vector<ProfileObject>> objectsIn(const ProfileObject& root, std::string_view name) {
    dom::array items;
    if (root.object[name].get(items) != simdjson::SUCCESS || items.size() > mostRates) {
        return wrongField(root.fieldName(name), fmt::format("a list of at most {} objects", mostRates));
    }
    std::vector<ProfileObject> objects;
    for (const dom::element item : items) {
        ProfileObject each{.object = {}, .place = fmt::format("{}[{}]", name, objects.size())};
        if (item.get(each.object) != simdjson::SUCCESS) {
            return wrongField(each.place, "an object");
        }
        objects.push_back(std::move(each));
    }
    return objects;
}

Result<PeakRate> readPeak(const ProfileObject& from) {
    PeakRate rate;
    ET_ASSIGN(const std::string dtype, from.text("dtype"));
    const auto* const found = std::ranges::find(arithmetics, dtype, &ArithmeticInfo::name);
    if (found == std::end(arithmetics)) {
        return wrongField(from.fieldName("dtype"), "fp32, fp16 or int8");
    }
    rate.arithmetic = found->arithmetic;
    ET_ASSIGN(rate.how, from.text("how"));
    ET_ASSIGN(rate.threads, from.threads());
    ET_ASSIGN(rate.gigaops, from.positive("gflops"));
    ET_ASSIGN(rate.spread, from.number("spread"));
    ET_ASSIGN(rate.clock, from.numberOrNone("clock_ghz"));
    return rate;
}

Result<BandwidthRate> readBandwidth(const ProfileObject& from) {
    BandwidthRate rate;
    ET_ASSIGN(rate.level, from.text("level"));
    ET_ASSIGN(rate.capacity, from.integer("capacity", 0, std::uint64_t{1} << 50));
    ET_ASSIGN(rate.threads, from.threads());
    ET_ASSIGN(rate.read, from.positive("read_gb_per_s"));
    ET_ASSIGN(rate.copy, from.positive("copy_gb_per_s"));
    ET_ASSIGN(rate.add, from.positive("add_gb_per_s"));
    ET_ASSIGN(rate.spread, from.number("spread"));
    ET_ASSIGN(rate.clock, from.numberOrNone("clock_ghz"));
    return rate;
}

Result<MachineProfile> readRoot(const ProfileObject& root) {
    MachineProfile profile;
    ET_ASSIGN(profile.machine.cpu, root.text("cpu"));
    ET_ASSIGN(profile.machine.system, root.text("system"));
    ET_ASSIGN(const std::uint64_t cores, root.integer("cores", 1, mostThreadsOfMachine));
    profile.machine.cores = static_cast<decltype(profile.machine.cores)>(cores);
    ET_ASSIGN(profile.date, root.text("date"));
    ET_ASSIGN(const std::vector<ProfileObject> peaks, objectsIn(root, "peaks"));
    for (const ProfileObject& each : peaks) {
        ET_ASSIGN(PeakRate rate, readPeak(each));
        profile.peaks.push_back(std::move(rate));
    }
    ET_ASSIGN(const std::vector<ProfileObject> bandwidths, objectsIn(root, "bandwidths"));
    for (const ProfileObject& each : bandwidths) {
        ET_ASSIGN(BandwidthRate rate, readBandwidth(each));
        profile.bandwidths.push_back(std::move(rate));
    }
    ET_ASSIGN(profile.timerResolution, root.number("timer_resolution_ns"));
    ET_ASSIGN(profile.timerCost, root.number("timer_cost_ns"));
    ET_ASSIGN(profile.noise, root.number("noise"));
    return profile;
}

format::Cell clockCell(double clock) {
    return clock > 0 ? format::Cell(clock) : format::Cell();
}

}  // namespace

format::Dict profileInfo(const MachineProfile& profile) {
    format::List peaks;
    for (const PeakRate& rate : profile.peaks) {
        peaks.emplace_back(format::Dict{{"dtype", std::string(name(rate.arithmetic))},
                                        {"how", rate.how},
                                        {"threads", std::uint64_t{rate.threads}},
                                        {"gflops", rate.gigaops},
                                        {"spread", rate.spread},
                                        {"clock_ghz", clockCell(rate.clock)}});
    }
    format::List bandwidths;
    for (const BandwidthRate& rate : profile.bandwidths) {
        bandwidths.emplace_back(format::Dict{{"level", rate.level},
                                             {"capacity", rate.capacity},
                                             {"threads", std::uint64_t{rate.threads}},
                                             {"read_gb_per_s", rate.read},
                                             {"copy_gb_per_s", rate.copy},
                                             {"add_gb_per_s", rate.add},
                                             {"spread", rate.spread},
                                             {"clock_ghz", clockCell(rate.clock)}});
    }
    return {{"schema", static_cast<std::int64_t>(profileSchema)},
            {"cpu", profile.machine.cpu},
            {"cores", std::uint64_t{profile.machine.cores}},
            {"system", profile.machine.system},
            {"date", profile.date},
            {"peaks", std::move(peaks)},
            {"bandwidths", std::move(bandwidths)},
            {"timer_resolution_ns", profile.timerResolution},
            {"timer_cost_ns", profile.timerCost},
            {"noise", profile.noise}};
}

std::string profileJson(const MachineProfile& profile) {
    return format::jsonLine(profileInfo(profile));
}

Result<MachineProfile> parseProfile(std::string_view json) {
    dom::parser parser(mostProfileBytes);
    ProfileObject root{.object = {}};
    const auto failed = parser.parse(json.data(), json.size()).get(root.object);
    if (failed != simdjson::SUCCESS) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected a JSON object with machine measurements: {}",
                                      simdjson::error_message(failed)));
    }
    ET_ASSIGN(const std::uint64_t schema, root.integer("schema", 1, 1000));
    if (schema != profileSchema) {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("schema {} requires a newer et-inspect; this one reads schema {}",
                                      schema, profileSchema),
                          {.field = "schema"});
    }
    return readRoot(root);
}

Result<MachineProfile> readProfile(const std::filesystem::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    if (bytes.size() > mostProfileBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected at most {} bytes of machine measurements, got {}",
                                      mostProfileBytes, bytes.size()),
                          {.file = path.string()});
    }
    auto profile = parseProfile({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!profile) {
        profile.error().where.file = path.string();
    }
    return profile;
}

}  // namespace et::inspector
