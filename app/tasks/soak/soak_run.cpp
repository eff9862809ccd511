#include "app/tasks/soak/soak_run.h"

#include "app/tasks/run/inputs.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model.h"
#include "app/tasks/soak/watched_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

namespace et::app {
namespace {

using core::Result;
using Clock = std::chrono::steady_clock;

/// Of the values of the first executions.
constexpr std::uint64_t keptBytes = std::uint64_t{1} << 30U;
constexpr std::size_t mostCases = 16;

constexpr std::array variantTraits{
    SoakVariantTraits{"again", "it is not deterministic"},
    SoakVariantTraits{"fresh", "loading it anew changes it"},
    SoakVariantTraits{"poison", "it reads memory that nothing has written"},
    SoakVariantTraits{"between", "it remembers earlier inputs"},
    SoakVariantTraits{"threads", "the number of threads changes it"},
};
static_assert(variantTraits.size() == soakVariants);

auto givingTo(const InputSet& inputs) {
    return [&inputs](executor::Method& method) { return inputs.give(method); };
}

class Soak {
  public:
    Soak(const SoakSettings& what, Watch& how) : settings(what), progress(how) {}

    Result<SoakResult> run() {
        ET_ASSIGN(model, Model::prepare(settings.model, settings.options));
        ModelOptions parallel = settings.options;
        parallel.threads = settings.threads;
        ET_ASSIGN(threaded, Model::prepare(settings.model, parallel));
        ET_ASSIGN(const program::Method* const method,
                  chooseMethod(*model->program, settings.options.method));
        out.method = method->name;
        ET_ASSIGN(inputs, inputSets(*method));
        out.inputSets = inputs.size();
        ET_ASSIGN(out.state, keepsState(*method));
        ET_TRY(first());
        ET_TRY(others());
        finish();
        return std::move(out);
    }

  private:
    Result<std::deque<InputSet>> inputSets(const program::Method& method) const {
        const ModelOptions& options = settings.options;
        std::deque<InputSet> sets;
        if (options.inputs.empty()) {
            ET_ASSIGN(sets, caseInputs(model->bundle.get(), method.name, mostCases));
        } else {
            ET_ASSIGN(InputSet set, model->givenInputs(method, options));
            sets.push_back(std::move(set));
        }
        // Two at least: the other ones are what comes between.
        while (sets.size() < 2) {
            ET_ASSIGN(InputSet set,
                      randomInputs(method, options.seed + sets.size(), model->limits.memoryBytes));
            sets.push_back(std::move(set));
        }
        return sets;
    }

    /// Each set of inputs on a method of its own, which all later executions are compared with.
    Result<> first() {
        records.resize(inputs.size());
        progress.begin("first", inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ET_ASSIGN(const auto loaded, load(*model, usualPoison));
            loaded->watch.recordInto(records[i]);
            if (auto ran = loaded->run(givingTo(inputs[i])); !ran) {
                return std::unexpected(errorOfProgram(std::move(ran).error(), *model->program));
            }
            progress.step();
        }
        return {};
    }

    Result<> others() {
        const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(settings.seconds.value_or(0)));
        progress.begin("run", settings.seconds ? 0 : settings.runs);
        for (std::size_t i = 0; settings.seconds ? Clock::now() < until : i < settings.runs; ++i) {
            if (InterruptionGuard::requested()) {
                out.interrupted = true;
                break;
            }
            ET_TRY(round(variantOf(i), i % inputs.size()));
            progress.step();
        }
        return {};
    }

    /// Loading takes longer than running: more executions are of a method that is there.
    [[nodiscard]] SoakVariant variantOf(std::size_t round) const {
        if (out.state) {
            constexpr std::array loads{SoakVariant::Fresh, SoakVariant::Poison, SoakVariant::Threads};
            return loads[round % loads.size()];
        }
        constexpr std::array cycle{SoakVariant::Fresh,  SoakVariant::Again,   SoakVariant::Between,
                                   SoakVariant::Again,  SoakVariant::Between, SoakVariant::Poison,
                                   SoakVariant::Again,  SoakVariant::Threads, SoakVariant::Again,
                                   SoakVariant::Between};
        return cycle[round % cycle.size()];
    }

    Result<> round(SoakVariant variant, std::size_t set) {
        const bool keeps = variant == SoakVariant::Again || variant == SoakVariant::Between;
        if (keeps && reused == nullptr) {
            ET_ASSIGN(reused, load(*model, usualPoison));
        }
        std::unique_ptr<WatchedMethod> fresh;
        if (!keeps) {
            ET_ASSIGN(fresh, load(variant == SoakVariant::Threads ? *threaded : *model,
                                  variant == SoakVariant::Poison ? otherPoison : usualPoison));
        }
        WatchedMethod& loaded = keeps ? *reused : *fresh;
        if (keeps) {
            // What ran before is part of the question: the same inputs, or others.
            const std::size_t before = variant == SoakVariant::Again ? set : (set + 1) % inputs.size();
            ET_TRY(execute(loaded, variant, before));
            ET_TRY(execute(loaded, variant, set));
        }
        return execute(loaded, variant, set);
    }

    Result<> execute(WatchedMethod& loaded, SoakVariant variant, std::size_t set) {
        loaded.watch.compareWith(records[set]);
        auto ran = loaded.run(givingTo(inputs[set]));
        if (!ran && InterruptionGuard::requested()) {
            return {};
        }
        if (!ran) {
            return std::unexpected(errorOfProgram(std::move(ran).error(), *model->program));
        }
        const auto index = static_cast<std::size_t>(variant);
        ++out.runs;
        ++out.runsByVariant[index];
        if (const auto& difference = loaded.watch.difference()) {
            ++out.differing;
            ++out.differingByVariant[index];
            note(*difference, index);
        }
        return {};
    }

    void note(const ValueDifference& difference, std::size_t variant) {
        auto found = std::ranges::find(out.failures, difference.site,
                                       [](const SoakFailure& each) { return each.example.site; });
        if (found == out.failures.end()) {
            out.failures.push_back({.example = difference});
            found = out.failures.end() - 1;
        }
        ++found->runs;
        ++found->byVariant[variant];
    }

    void finish() {
        std::ranges::stable_sort(out.failures, std::ranges::greater{}, &SoakFailure::runs);
        for (const ExecutionRecord& record : records) {
            for (const auto& origin : record.origins) {
                const bool known =
                    origin && std::ranges::contains(out.origins, origin->kind, &KindOrigin::kind);
                if (origin && !known) {
                    out.origins.push_back(*origin);
                }
            }
        }
        progress.finish();
    }

    Result<std::unique_ptr<WatchedMethod>> load(const Model& from, std::byte pattern) {
        auto loaded = std::make_unique<WatchedMethod>(from, pattern, keptBytes / inputs.size());
        ET_TRY(loaded->load(out.method));
        return loaded;
    }

    const SoakSettings& settings;
    Watch& progress;
    std::unique_ptr<Model> model;
    std::unique_ptr<Model> threaded;
    std::deque<InputSet> inputs;
    std::vector<ExecutionRecord> records;
    std::unique_ptr<WatchedMethod> reused;
    SoakResult out;
};

/// log of the number of ways to choose `count` of `of`.
double logChoices(double of, double count) {
    return std::lgamma(of + 1) - std::lgamma(count + 1) - std::lgamma(of - count + 1);
}

/// Chance of at most `count` of `of`, each with the chance `p`.
double atMost(std::size_t count, std::size_t of, double p) {
    double sum = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        const auto k = static_cast<double>(i);
        const auto n = static_cast<double>(of);
        sum += std::exp(logChoices(n, k) + (k * std::log(p)) + ((n - k) * std::log1p(-p)));
    }
    return sum;
}

/// The p at which a falling function has a value.
template <class Function>
double solve(const Function& falling, double value) {
    double low = 0;
    double high = 1;
    constexpr int halvings = 60;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (falling(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

const SoakVariantTraits& traits(SoakVariant variant) {
    return variantTraits[static_cast<std::size_t>(variant)];
}

SoakRate rateOf(std::size_t count, std::size_t of) {
    constexpr double outside = 0.05;
    if (of == 0) {
        return {};
    }
    SoakRate rate{.share = static_cast<double>(count) / static_cast<double>(of), .low = 0, .high = 1};
    // Nothing seen, or nothing else: all of the doubt is on one side.
    const double side = count == 0 || count == of ? outside : outside / 2;
    if (count < of) {
        rate.high = solve([&](double p) { return atMost(count, of, p); }, side);
    }
    if (count > 0) {
        rate.low = solve([&](double p) { return atMost(count - 1, of, p); }, 1 - side);
    }
    return rate;
}

Result<SoakResult> soak(const SoakSettings& settings, Watch& watch) {
    return Soak(settings, watch).run();
}

}  // namespace et::app
