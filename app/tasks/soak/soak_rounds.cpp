#include "app/tasks/soak/soak_rounds.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "app/tasks/soak/watched_method.h"
#include "inspector/memory/kept_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using Clock = std::chrono::steady_clock;

/// For the values of the first executions.
constexpr std::uint64_t keptBytes = std::uint64_t{1} << 30U;
/// Multiplies the requested rounds while no inner value has differed.
constexpr std::size_t patience = 4;

auto givingTo(const InputSet& inputs) {
    return [&inputs](executor::Method& method) { return inputs.give(method); };
}

class SoakRounds {
  public:
    SoakRounds(const RoundSettings& what, ProgressReporter& how) : settings(what), progress(how) {}

    Result<SoakResult> run(const std::shared_ptr<const core::MappedFile>& file) {
        ET_ASSIGN(model, Model::prepare(file, settings.options));
        ModelOptions parallel = settings.options;
        parallel.threads = settings.threads;
        ET_ASSIGN(threaded, Model::prepare(file, parallel));
        ET_ASSIGN(const program::Method* const method,
                  chooseMethod(*model->program, settings.options.method));
        out.method = method->name;
        hasDelegates = !method->delegates.empty();
        ET_ASSIGN(inputs, inputSets(*method));
        out.inputSets = inputs.size();
        ET_ASSIGN(out.state, inspector::keepsState(*method));
        ET_TRY(first());
        ET_TRY(others());
        for (const Model* const each : {model.get(), threaded.get()}) {
            addMemoryErrors(*each);
        }
        finish();
        return std::move(out);
    }

  private:
    Result<std::deque<InputSet>> inputSets(const program::Method& method) const {
        const ModelOptions& options = settings.options;
        std::deque<InputSet> sets;
        if (options.inputs.empty()) {
            ET_ASSIGN(sets, caseInputs(model->bundle.get(), method.name, mostSoakCases));
        } else {
            ET_ASSIGN(InputSet set, model->givenInputs(method, options));
            sets.push_back(std::move(set));
        }
        // At least two: the Between variant runs on a different set.
        while (sets.size() < 2) {
            ET_ASSIGN(InputSet set,
                      randomInputs(method, options.seed + sets.size(), model->limits.memoryBytes));
            sets.push_back(std::move(set));
        }
        return sets;
    }

    /// Runs each input set on a freshly loaded method; later executions are compared with these.
    Result<> first() {
        records.resize(inputs.size());
        progress.begin("first", inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ET_ASSIGN(const auto loaded, load(*model, usualPoison));
            loaded->watch.recordInto(records[i]);
            if (auto ran = loaded->run(givingTo(inputs[i])); !ran) {
                return std::unexpected(errorOfProgram(std::move(ran).error(), *model->program));
            }
            findOrigins(i);
            progress.step();
        }
        return {};
    }

    /// Values may originate inside delegates. If those cannot be inspected, names their calls.
    void findOrigins(std::size_t set) {
        if (settings.inside || !hasDelegates || model->device != nullptr) {
            return;
        }
        ExecutionRecord seen;
        WatchedMethod loaded(*model, usualPoison, 0, true);
        if (!loaded.load(out.method)) {
            return;
        }
        loaded.watch.recordInto(seen);
        if (loaded.run(givingTo(inputs[set]))) {
            records[set].origins = std::move(seen.origins);
        }
    }

    /// With `inside`, continues until an operator is named or the extended limit is reached.
    [[nodiscard]] bool goesOn(std::size_t round, Clock::time_point until) const {
        const bool isNamed = std::ranges::any_of(
            out.failures, [](const SoakFailure& each) { return each.example.site.inner.has_value(); });
        const std::size_t most = settings.inside && !isNamed ? patience * settings.runs : settings.runs;
        if (settings.seconds && !(settings.inside && isNamed && round >= settings.runs)) {
            return Clock::now() < until;
        }
        return round < most;
    }

    Result<> others() {
        const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(settings.seconds.value_or(0)));
        progress.begin(settings.inside ? "inside" : "run", settings.seconds ? 0 : settings.runs);
        const std::vector<SoakVariant> cycle = cycleOf();
        for (std::size_t i = 0; goesOn(i, until); ++i) {
            if (InterruptionGuard::requested()) {
                out.interrupted = true;
                break;
            }
            ET_TRY(round(cycle[i % cycle.size()], i % inputs.size()));
            progress.step();
        }
        return {};
    }

    /// Loading takes longer than running, so more executions reuse a loaded method.
    [[nodiscard]] std::vector<SoakVariant> cycleOf() const {
        using enum SoakVariant;
        std::vector<SoakVariant> cycle = out.state ? std::vector{Fresh, Poison, Threads}
                                                   : std::vector{Fresh,  Again, Between, Again, Between,
                                                                 Poison, Again, Threads, Again, Between};
        const auto isLeftOut = [&](SoakVariant each) {
            return !settings.variants[static_cast<std::size_t>(each)];
        };
        if (!std::ranges::all_of(cycle, isLeftOut)) {
            std::erase_if(cycle, isLeftOut);
        }
        return cycle;
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
            // The preceding execution is part of the test: the same inputs, or others.
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

    void addMemoryErrors(const Model& from) {
        if (from.sanitizer == nullptr) {
            return;
        }
        auto& errors = out.memoryErrors ? *out.memoryErrors : out.memoryErrors.emplace();
        for (const MemoryFinding& each : from.sanitizer->findings()) {
            if (std::ranges::none_of(errors, [&](const auto& known) { return known.isSame(each); })) {
                errors.push_back(each);
            }
        }
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
        auto loaded =
            std::make_unique<WatchedMethod>(from, pattern, keptBytes / inputs.size(), settings.inside);
        ET_TRY(loaded->load(out.method));
        return loaded;
    }

    const RoundSettings& settings;
    ProgressReporter& progress;
    std::unique_ptr<Model> model;
    std::unique_ptr<Model> threaded;
    std::deque<InputSet> inputs;
    std::vector<ExecutionRecord> records;
    std::unique_ptr<WatchedMethod> reused;
    bool hasDelegates = false;
    SoakResult out;
};

}  // namespace

Result<SoakResult> soakRounds(std::shared_ptr<const core::MappedFile> file, const RoundSettings& settings,
                              ProgressReporter& watch) {
    return SoakRounds(settings, watch).run(std::move(file));
}

}  // namespace et::tasks
