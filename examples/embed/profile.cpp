// Records ten runs: et-inspect --etdump run.etdp --etrecord conv_net.etrecord
#include <et_inspect/module.h>

int main() {
    et_inspect::Module module("conv_net.pte");
    module.start_trace({.path = "run.etdp"}).value();
    for (int i = 0; i < 10; ++i) {
        module.forward(et_inspect::rand({1, 3, 16, 16})).value();
    }
    module.finish_trace().value();
}
