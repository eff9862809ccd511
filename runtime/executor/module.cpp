#include "runtime/executor/detail/method_impl.h"
#include "runtime/executor/detail/snapshot_content.h"
#include "runtime/executor/kv_cache_plan.h"
#include "runtime/executor/method.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace et::executor {

struct Module::Impl {
    struct Loaded {
        const program::Method* description;
        std::unique_ptr<Method> method;
    };

    Impl(std::shared_ptr<const program::Program> source, const Environment& environment)
        : state(std::move(source), environment) {}

    core::Result<std::unique_ptr<Method>> load(const program::Method& description);

    detail::ModuleState state;
    std::vector<Loaded> methods;
    bool loadBlockBegun = false;
};

core::Result<std::unique_ptr<Method>> Module::Impl::load(const program::Method& description) {
    if (!std::exchange(state.hasCacheSettings, true)) {
        const auto& given = state.environment;
        core::KvCacheSettings settings =
            planKvCaches(*state.program, given.backends, state.data, given.caches).limits();
        settings.dtype = given.caches.dtype;
        state.caches.configure(std::move(settings));
    }
    core::EventTracer* tracer = state.environment.tracer;
    if (tracer != nullptr && state.environment.elsewhere == nullptr && !std::exchange(loadBlockBegun, true)) {
        tracer->beginRun("Default");
    }
    const std::uint64_t start = core::EventTracer::now();
    auto impl = std::make_unique<Method::Impl>(description, state);
    const std::uint64_t initStart = core::EventTracer::now();
    if (auto loaded = impl->load(); !loaded) {
        core::Error error = std::move(loaded).error();
        if (!error.where.field.starts_with(description.name)) {
            error.where.field = fmt::format("{}{}{}", core::printable(description.name),
                                            error.where.field.empty() ? "" : ": ", error.where.field);
        }
        return std::unexpected(std::move(error).in(state.program->file->name()));
    }
    impl->events.setTracer(tracer);
    if (tracer != nullptr && impl->elsewhere == nullptr) {
        impl->events.logLoad(start, initStart);
    }
    return std::unique_ptr<Method>(new Method(std::move(impl)));
}

Module::Module(std::shared_ptr<const program::Program> program, const Environment& environment)
    : impl(std::make_unique<Impl>(std::move(program), environment)) {
}
Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

const program::Program& Module::program() const {
    return *impl->state.program;
}

kernels::KvCaches& Module::caches() {
    return impl->state.caches;
}

const kernels::KvCaches& Module::caches() const {
    return impl->state.caches;
}

core::Result<Method*> Module::load(std::string_view name) {
    const program::Method* description = impl->state.program->findMethod(name);
    if (description == nullptr) {
        std::string known;
        for (const program::Method& method : impl->state.program->methods) {
            known += fmt::format("{}{}", known.empty() ? "" : ", ", core::printable(method.name));
        }
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("no method \"{}\"; available: {}", core::printable(name), known),
                          {.file = impl->state.program->file->name(), .field = {}, .offset = {}});
    }
    for (const Impl::Loaded& loaded : impl->methods) {
        if (loaded.description == description) {
            return loaded.method.get();
        }
    }
    ET_ASSIGN(std::unique_ptr<Method> method, impl->load(*description));
    impl->methods.push_back({.description = description, .method = std::move(method)});
    return impl->methods.back().method.get();
}

core::Result<std::shared_ptr<const Snapshot>> Module::saveState(const Snapshot* previous) const {
    if (impl->state.elsewhere != nullptr) {
        return core::fail(core::ErrorCode::Unsupported, "the state of a module on a device cannot be saved");
    }
    const Snapshot::Content* const known =
        previous != nullptr && previous->content().module == &impl->state ? &previous->content() : nullptr;
    auto content = std::make_unique<Snapshot::Content>();
    content->module = &impl->state;
    for (std::size_t i = 0; i < impl->state.arenas.size(); ++i) {
        const bool isKnown = known != nullptr && i < known->arenas.size();
        content->arenas.push_back(
            detail::SavedMemory::copy(impl->state.arenas.memory(i), isKnown ? &known->arenas[i] : nullptr));
    }
    for (std::size_t i = 0; i < impl->methods.size(); ++i) {
        const bool isKnown = known != nullptr && i < known->methods.size();
        ET_ASSIGN(auto saved,
                  impl->methods[i].method->impl->saveState(isKnown ? known->methods[i].get() : nullptr));
        content->methods.push_back(std::move(saved));
    }
    content->caches =
        detail::SavedCache::copyAll(impl->state.caches, known == nullptr ? nullptr : &known->caches);
    return std::make_shared<const Snapshot>(std::move(content));
}

core::Result<> Module::restoreState(const Snapshot& snapshot) {
    const Snapshot::Content& content = snapshot.content();
    if (content.module != &impl->state) {
        return core::fail(core::ErrorCode::InvalidArgument, "the snapshot belongs to another module");
    }
    for (std::size_t i = 0; i < content.arenas.size(); ++i) {
        content.arenas[i].restoreTo(impl->state.arenas.memory(i));
    }
    for (std::size_t i = 0; i < content.methods.size(); ++i) {
        ET_TRY(impl->methods[i].method->impl->restoreState(*content.methods[i]));
    }
    detail::SavedCache::restoreAll(content.caches, impl->state.caches);
    return {};
}

}  // namespace et::executor
