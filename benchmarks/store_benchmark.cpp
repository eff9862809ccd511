// Cost of a store with many measurements, on either database: filling, reading for a trend, and thinning out;
// the figures of docs/how_to/share_a_store.md. Usage: store_benchmark PLACE [MEASUREMENTS [OPERATORS]], where
// PLACE is a new file or a server (tests/support/with_postgres.sh sh -c 'store_benchmark "$ET_POSTGRES"').
// 10,000 measurements of 1,000 operators are 10,000,000 samples: 20 models on 10 devices in 24 months.
#include "inspector/store/store_location.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/trend_groups.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace et {
namespace {

namespace store = inspector::store;
namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t models = 20;
constexpr std::size_t devices = 10;
constexpr std::size_t months = 24;
constexpr std::size_t filesAtOnce = 256;
constexpr int firstYear = 2025;

/// Prints each stage and its duration.
class Stages {
  public:
    void done(const std::string& what) {
        const auto before = std::exchange(start, std::chrono::steady_clock::now());
        fmt::print("{:<60} {:>9.2f} s\n", what, std::chrono::duration<double>(start - before).count());
    }

  private:
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

std::string moment(std::size_t measurement, std::size_t count) {
    constexpr std::size_t monthsOfYear = 12;
    constexpr std::size_t days = 28;
    const std::size_t day = measurement * months * days / count;
    return fmt::format("{}-{:02}-{:02}T00:00:00Z", firstYear + day / days / monthsOfYear,
                       day / days % monthsOfYear + 1, day % days + 1);
}

store::ModelMeasurement measure(std::size_t measurement, std::size_t operators, std::mt19937& random) {
    std::normal_distribution<double> noise(1, 0.01);
    inspector::MethodTimes method{.method = "forward", .total = {0}};
    for (std::size_t i = 0; i < operators; ++i) {
        const double time = 1000 * static_cast<double>(i % 17 + 1) * noise(random);
        method.total[0] += time;
        method.operators.push_back({.name = fmt::format("op{}.out", i), .samples = {time}});
    }
    return {.model = fmt::format("model{}", measurement % models),
            .measurement = {.methods = {std::move(method)}}};
}

Result<> fill(store::TrendStore& trend, std::size_t count, std::size_t operators) {
    std::mt19937 random(1);
    for (std::size_t from = 0; from < count; from += filesAtOnce) {
        ET_ASSIGN(auto transaction, trend.begin());
        for (std::size_t i = from; i < std::min(count, from + filesAtOnce); ++i) {
            const std::vector measured{measure(i, operators, random)};
            ET_TRY(trend.add({.sha256 = fmt::format("{:064}", i),
                              .kind = "trace",
                              .origin = fmt::format("{}.etdp", i),
                              .measured = moment(i, count),
                              .commit = fmt::format("{:012x}", i / (models * devices)),
                              .tags = {{"device", fmt::format("device{}", i / models % devices)}}},
                             measured));
        }
        ET_TRY(transaction.commit());
    }
    return {};
}

Result<> benchmark(const fs::path& place, std::size_t count, std::size_t operators) {
    const bool isServer = store::isServer(place);
    Stages stages;
    ET_ASSIGN(store::TrendStore trend, store::TrendStore::open(place));
    ET_TRY(fill(trend, count, operators));
    stages.done(fmt::format("{} samples written", count * operators));
    ET_ASSIGN(const auto raw, store::connectStore(place, {}));
    if (isServer) {
        ET_TRY(raw->run("ANALYZE"));
        stages.done("statistics for the planner (ANALYZE)");
    }
    ET_ASSIGN(
        const std::int64_t bytes,
        raw->number(isServer ? "SELECT pg_database_size(current_database())"
                             : "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"));
    fmt::print("{:.0f} MB, {:.1f} bytes a sample\n", static_cast<double>(bytes) / 1e6,
               static_cast<double>(bytes) / static_cast<double>(count * operators));
    ET_ASSIGN(const auto recent, trend.load("model7", moment(count - count / months * 2, count)));
    stages.done(fmt::format("a model's last two months read ({} measurements)", recent.entries.size()));
    ET_ASSIGN(const auto all, trend.load("model7"));
    stages.done(fmt::format("all of a model read ({} measurements)", all.entries.size()));
    ET_ASSIGN(const auto list, trend.models());
    stages.done(fmt::format("{} models listed", list.size()));
    if (isServer) {
        ET_ASSIGN(const std::int64_t gone,
                  raw->number(fmt::format("SELECT forget_before('{}-04-01')", firstYear)));
        stages.done(fmt::format("three months forgotten ({} measurements)", gone));
    } else {
        ET_TRY(raw->run(fmt::format("DELETE FROM imported_file WHERE measured < '{}-04-01'", firstYear)));
        stages.done("three months forgotten");
    }
    return {};
}

}  // namespace
}  // namespace et

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: store_benchmark PLACE [MEASUREMENTS [OPERATORS]]\n");
        return 2;
    }
    const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
    const std::size_t operators = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1'000;
    if (const auto done = et::benchmark(argv[1], count, operators); !done) {
        fmt::print(stderr, "{}\n", done.error().toString());
        return 1;
    }
    return 0;
}
