#include "tests/backends/computed_payload.h"

#include "backends/interpreted/runnable.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "runtime/program/program.h"

namespace et::test {

bundled_program::FileReport computed(const std::filesystem::path& path,
                                     const bundled_program::Tolerance& tolerance) {
    const auto bundle = bundled_program::Bundle::open(path);
    const auto program =
        bundle ? program::Program::parse((*bundle)->file, (*bundle)->program).value_or(nullptr) : nullptr;
    if (program == nullptr) {
        return bundled_program::unreadable(path.string(), "cannot be read");
    }
    const kernels::ThreadPool threads{2};
    bundled_program::VerifyOptions options;
    options.tolerances = bundled_program::Tolerances(tolerance);
    return bundled_program::verify(
        **bundle,
        [&] {
            return executor::Module(program, executor::Environment{.kernels = kernels::builtin(),
                                                                   .backends = backends::runnable(),
                                                                   .tensorData = {},
                                                                   .threads = threads});
        },
        options);
}

}  // namespace et::test
