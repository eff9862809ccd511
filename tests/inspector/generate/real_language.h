#pragma once

#include "backends/builtin.h"
#include "inspector/generate/language_run.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/shared_data.h"

#include <memory>
#include <string>

namespace et::test {

/// A real language model, loaded.
struct RealLanguage {
    explicit RealLanguage(const std::string& variant)
        : program(*program::Program::open(sharedData() / "llm/models/tiny-a" / (variant + ".pte"))),
          form(*inspector::languageForm(*program, inspector::languageMetadata(*program))),
          kernels(kernels::builtin()),
          module(program, {.kernels = kernels, .backends = backends::builtin(), .threads = threads}),
          run(*inspector::LanguageRun::load(module, form)) {}

    std::shared_ptr<const program::Program> program;
    inspector::LanguageForm form;
    kernels::KernelRegistry kernels;
    kernels::ThreadPool threads{1};
    executor::Module module;
    inspector::LanguageRun run;
};

}  // namespace et::test
