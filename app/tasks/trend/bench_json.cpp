#include "app/tasks/trend/bench_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

namespace dom = simdjson::dom;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Measurement;

constexpr std::size_t maxBenchBytes = std::size_t{64} << 20;

/// One model of the file; errors contain its position.
class BenchedModel {
  public:
    BenchedModel(const dom::element& from, std::size_t at)
        : element(from), place(fmt::format("models[{}]", at)) {}

    Result<Measurement> read() const {
        constexpr double nanosecondsPerMillisecond = 1e6;
        Measurement measurement{.source = inspector::MeasurementSource::Program};
        inspector::RunSettings settings;
        inspector::MethodTimes times;
        ET_ASSIGN(measurement.name, text("/file"));
        ET_ASSIGN(times.method, text("/method"));
        ET_ASSIGN(settings.iterations, count("/executions"));
        ET_ASSIGN(settings.warmup, count("/warmup"));
        ET_ASSIGN(settings.threads, count("/threads"));
        ET_ASSIGN(const double median, time("/time_ms/p50"));
        times.total.push_back(median * nanosecondsPerMillisecond);
        settings.method = times.method;
        measurement.settings = std::move(settings);
        measurement.methods.push_back(std::move(times));
        return measurement;
    }

  private:
    [[nodiscard]] std::unexpected<core::Error> wrong(std::string_view pointer,
                                                     std::string_view expected) const {
        std::string field = place;
        for (const char letter : pointer) {
            field += letter == '/' ? '.' : letter;
        }
        return fail(ErrorCode::Format, fmt::format("expected {}", expected), {.field = std::move(field)});
    }
    [[nodiscard]] Result<std::string> text(std::string_view pointer) const {
        constexpr std::size_t longest = 4096;
        std::string_view found;
        if (element.at_pointer(pointer).get(found) != simdjson::SUCCESS || found.empty() ||
            found.size() > longest) {
            return wrong(pointer, fmt::format("a string of 1 to {} bytes", longest));
        }
        return std::string(found);
    }
    [[nodiscard]] Result<std::uint64_t> count(std::string_view pointer) const {
        std::uint64_t found = 0;
        if (element.at_pointer(pointer).get(found) != simdjson::SUCCESS || found > INT64_MAX) {
            return wrong(pointer, "a non-negative integer");
        }
        return found;
    }
    [[nodiscard]] Result<double> time(std::string_view pointer) const {
        constexpr double longest = 1e12;  // 30 years
        double found = 0;
        if (element.at_pointer(pointer).get(found) != simdjson::SUCCESS || !(found >= 0) || found > longest) {
            return wrong(pointer, "a time in milliseconds");
        }
        return found;
    }

    dom::element element;
    std::string place;
};

}  // namespace

Result<std::vector<Measurement>> readBenchJson(core::Bytes bytes) {
    if (bytes.size() > maxBenchBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("expected at most {} bytes, got {}", maxBenchBytes, bytes.size()));
    }
    dom::parser parser;
    dom::element root;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto error = parser.parse(text.data(), text.size()).get(root)) {
        return fail(ErrorCode::Format, fmt::format("invalid JSON: {}", simdjson::error_message(error)));
    }
    std::uint64_t schema = 0;
    dom::array models;
    if (root.at_pointer("/schema").get(schema) != simdjson::SUCCESS ||
        root.at_pointer("/models").get(models) != simdjson::SUCCESS) {
        return fail(ErrorCode::Format,
                    "expected what 'et-inspect bench --format json' prints: \"schema\" and \"models\"");
    }
    if (std::cmp_not_equal(schema, benchSchema)) {
        return fail(ErrorCode::Unsupported, fmt::format("expected {}, got {}", benchSchema, schema),
                    {.field = "schema"});
    }
    std::vector<Measurement> measured;
    for (const dom::element model : models) {
        ET_ASSIGN(Measurement each, BenchedModel(model, measured.size()).read());
        measured.push_back(std::move(each));
    }
    if (measured.empty()) {
        return fail(ErrorCode::Format, "expected at least one model, got none", {.field = "models"});
    }
    return measured;
}

}  // namespace et::tasks
