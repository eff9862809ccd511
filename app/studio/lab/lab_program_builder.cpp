#include "app/studio/lab/lab_program_builder.h"

#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_experiment.h"
#include "app/studio/lab/lab_folder.h"
#include "app/studio/lab/lab_site_table.h"
#include "app/studio/session_files.h"
#include "app/studio/shell_text.h"
#include "visualizers/open_session.h"

#include <QApplication>
#include <QClipboard>
#include <QWidget>

#include <utility>

namespace et::studio {

LabProgramBuilder::LabProgramBuilder(LabJobs& processes, const LabExperiment& of, const LabSiteTable& chosen,
                                     const PanelContext& context, QWidget* parent)
    : QObject(parent),
      jobs(processes),
      experiment(of),
      sites(chosen),
      opened(context.opened),
      store(context.settings),
      window(parent),
      openAlone(context.openAlone),
      addTraces(context.addTraces) {
    connect(&jobs, &LabJobs::written, this, &LabProgramBuilder::take);
    connect(&jobs, &LabJobs::failed, this, [this] { wanted = AfterBuild::None; });
}

void LabProgramBuilder::use(AfterBuild wish) {
    if (!experiment.hasStudy() || jobs.running() != LabJobs::Kind::None) {
        return;
    }
    if (const auto program = jobs.programOf(sites.choice())) {
        use(*program, wish);
        return;
    }
    wanted = wish;
    write(jobs.temporaryProgram());
}

void LabProgramBuilder::use(const LabProgram& program, AfterBuild wish) {
    if (wish == AfterBuild::Open) {
        openAlone({program.program, program.record});
    } else if (wish == AfterBuild::Compare) {
        compareWith(program);
    }
}

void LabProgramBuilder::compareWith(const LabProgram& program) {
    if (opened.session()->program) {
        addTraces({program.program});
    } else if (const auto own = floatProgram()) {
        std::vector<std::filesystem::path> files = pathsOf(opened.session()->files);
        files.insert(files.end(), {own->program, program.program});
        openAlone(files);
    }
}

bool LabProgramBuilder::canCompare() const {
    return opened.session()->program || floatProgram();
}

std::optional<LabProgram> LabProgramBuilder::floatProgram() const {
    return experiment.hasStudy()
               ? jobs.programOf(visualizers::sameChoice(*experiment.study(), visualizers::LabScheme::Float))
               : std::nullopt;
}

void LabProgramBuilder::promptAndSave() {
    chooseFileToSave(window, store,
                     {.title = QStringLiteral("Save This Program"),
                      .filters = QStringLiteral("Program (*.pte)"),
                      .folderKey = labFolderKey,
                      .suffix = QStringLiteral("pte"),
                      .objectName = QStringLiteral("labSave"),
                      .receiver = this},
                     [this](const std::filesystem::path& file) {
                         wanted = AfterBuild::None;
                         write(file);
                     });
}

void LabProgramBuilder::write(const std::filesystem::path& file) {
    if (experiment.hasStudy() && jobs.running() == LabJobs::Kind::None) {
        emit started();
        jobs.write(experiment.request(), visualizers::schemeEntries(*experiment.study(), sites.choice()),
                   file);
    }
}

void LabProgramBuilder::take(const LabProgram& program) {
    if (const AfterBuild wish = std::exchange(wanted, AfterBuild::None); wish != AfterBuild::None) {
        use(program, wish);
    } else {
        emit saved(program.program);
    }
}

void LabProgramBuilder::copyCommand() const {
    if (experiment.hasStudy()) {
        QApplication::clipboard()->setText(
            shellText(QStringList{QStringLiteral("et-inspect")} +
                      programArguments(experiment.request(),
                                       visualizers::schemeEntries(*experiment.study(), sites.choice()),
                                       "q.pte", "q.etrecord")));
    }
}

}  // namespace et::studio
