#include "runtime/core/event_names.h"
#include "runtime/executor/detail/method_impl.h"
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
    impl->tracer = tracer;
    impl->nameEvents();
    if (tracer != nullptr && impl->elsewhere == nullptr) {
        const core::TraceIds ids{.chain = -1, .instruction = 0};
        const std::uint64_t end = core::EventTracer::now();
        impl->logMemory();
        tracer->profile(impl->names.init, ids, initStart, end);
        tracer->profile(tracer->name(core::event_name::loadMethod), ids, start, end);
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

}  // namespace et::executor
