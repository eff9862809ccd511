#include "app/studio/input_fields.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/option_fields.h"
#include "inspector/session/session.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QFile>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace et::studio {

namespace {

constexpr auto caseInputs = "case";
constexpr auto fileInputs = "files";
constexpr auto exampleInputs = "example";
constexpr auto randomInputs = "random";

constexpr std::array inputKinds{
    Choice{caseInputs, "test case", "Inputs of a test case of the bundled program"},
    Choice{exampleInputs, "inputs of the ETRecord", "Representative or example inputs of the ETRecord"},
    Choice{randomInputs, "random", "Floats from -1 to 1; the same seed gives the same numbers"},
    Choice{"zeros", "zeros", "All elements are 0"},
    Choice{"ones", "ones", "All elements are 1"},
    Choice{fileInputs, "files", ".npy, .npz, .pt or raw files, in input order"},
};

std::size_t casesOf(const inspector::Session& session) {
    std::size_t cases = 0;
    if (session.bundle) {
        for (const auto& suite : session.bundle->suites) {
            cases = std::max(cases, suite.cases.size());
        }
    }
    return cases;
}

}  // namespace

InputFields::InputFields(QFormLayout& rows, OptionFields& fields, QSettings& stored, const QString& prefix)
    : QObject(&rows),
      layout(rows),
      optionFields(fields),
      settings(stored),
      names(prefix),
      method(new QComboBox(rows.parentWidget())),
      inputs(new QComboBox(rows.parentWidget())),
      testCase(numberField(0, 0, 0, (prefix + QStringLiteral("Case")).toLatin1().constData(),
                           rows.parentWidget())),
      files(new QLineEdit(rows.parentWidget())) {
    method->setObjectName(prefix + QStringLiteral("Method"));
    inputs->setObjectName(prefix + QStringLiteral("Inputs"));
    files->setObjectName(prefix + QStringLiteral("Files"));
    files->setPlaceholderText(QStringLiteral("x.npy, y.pt"));
    files->setToolTip(
        QStringLiteral("Comma-separated, in input order: files, random, ones, zeros, none or a number"));
}

void InputFields::addMethodRow() {
    layout.addRow(QStringLiteral("Method"), method);
    connect(method, &QComboBox::currentTextChanged, this, &InputFields::showState);
}

void InputFields::addInputRows(const tasks::OptionList& options) {
    layout.addRow(QStringLiteral("Inputs"), inputs);
    layout.addRow(QStringLiteral("Case"), testCase);
    seed =
        optionFields.integer(options.at("--seed"), (names + QStringLiteral("Seed")).toLatin1().constData());
    layout.addRow(QStringLiteral("Seed"), seed);
    layout.addRow(QStringLiteral("Files"), withBrowseButton(
                                               *files, QStringLiteral("Choose Files"),
                                               [this] { chooseFiles(); }, layout.parentWidget()));
    connect(inputs, &QComboBox::currentTextChanged, this, &InputFields::showState);
    connect(testCase, &QSpinBox::valueChanged, this, &InputFields::changed);
    connect(files, &QLineEdit::textChanged, this, &InputFields::changed);
}

void InputFields::chooseFiles() {
    chooseFilesToOpen(layout.parentWidget(), settings,
                      {.title = QStringLiteral("Choose Inputs"),
                       .filters = QStringLiteral("Tensors (*.npy *.npz *.pt *.pth *.bin);;All files (*)")},
                      [this](const std::vector<std::filesystem::path>& paths) {
                          QStringList chosen;
                          for (const std::filesystem::path& path : paths) {
                              chosen.append(QFile::decodeName(path.c_str()));
                          }
                          files->setText(chosen.join(QStringLiteral(", ")));
                      });
}

void InputFields::setSession(const inspector::Session* session) {
    method->clear();
    const QString before = kind();
    inputs->clear();
    if (session != nullptr) {
        const std::size_t cases = casesOf(*session);
        testCase->setRange(0, std::max(static_cast<int>(cases) - 1, 0));
        for (const Choice& each : inputKinds) {
            const bool there = (each.key != std::string_view(caseInputs) || cases > 0) &&
                               (each.key != std::string_view(exampleInputs) || session->record);
            if (there) {
                fillChoices(*inputs, std::span(&each, 1));
            }
        }
        if (session->program) {
            for (const program::Method& each : session->program->methods) {
                method->addItem(visualizers::toQString(each.name));
            }
        }
    }
    inputs->setCurrentIndex(std::max(inputs->findData(before), 0));
    showState();
}

QString InputFields::kind() const {
    return inputs->currentData().toString();
}

void InputFields::showState() {
    layout.setRowVisible(method, method->count() > 1);
    layout.setRowVisible(testCase, kind() == QLatin1String(caseInputs) && testCase->maximum() > 0);
    optionFields.setRowVisible(*seed, kind() == QLatin1String(randomInputs));
    layout.setRowVisible(files->parentWidget(), kind() == QLatin1String(fileInputs));
    emit changed();
}

void InputFields::store(tasks::ModelOptions& options) const {
    options.method = method->count() > 1 ? method->currentText().toStdString() : std::string();
    if (kind() == QLatin1String(caseInputs)) {
        options.testCase = static_cast<std::size_t>(testCase->value());
    } else if (kind() == QLatin1String(fileInputs)) {
        for (const QString& each : files->text().split(u',', Qt::SkipEmptyParts)) {
            options.inputs.push_back(each.trimmed().toStdString());
        }
    } else if (!kind().isEmpty()) {
        options.inputs = {kind().toStdString()};
    }
}

bool InputFields::needsRecord() const {
    return kind() == QLatin1String(exampleInputs);
}

}  // namespace et::studio
