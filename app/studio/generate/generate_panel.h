#pragma once

#include "app/studio/panel.h"
#include "app/studio/run_process.h"

#include <QTemporaryDir>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

class QAction;
class QLabel;
class QToolBar;

namespace et::visualizers {
class GeneratedText;
class GeneratedTokens;
class PositionMap;
class RatePlot;
}  // namespace et::visualizers

namespace et::studio {

class GenerateForm;
class GenerateMap;

/// Generates text with the open language model in a separate process: shows the text as it is generated, its
/// rate, and the time of each module at each position, from the trace, which is opened. Selecting a token
/// selects its time range in all panels.
class GeneratePanel : public Panel {
    Q_OBJECT

  public:
    GeneratePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] GenerateForm& form() { return *choices; }
    [[nodiscard]] visualizers::GeneratedTokens& tokens() { return *generated; }
    [[nodiscard]] visualizers::GeneratedText& text() { return *words; }
    [[nodiscard]] visualizers::RatePlot& rate() { return *speed; }
    [[nodiscard]] visualizers::PositionMap& map();
    /// True while a model runs, or its trace is being summarized.
    [[nodiscard]] bool busy() const;

  private:
    void createTools();
    [[nodiscard]] QWidget* createResults();
    void generate();
    void copyCommand();
    void switchColour();
    void showSession();
    void showCommand();
    void showState();
    void takeLine(const QByteArray& line);
    void take(const RunEnd& end);
    /// Returns the execution that generated a token, or read it; nothing if the open trace is of another
    /// text.
    [[nodiscard]] std::optional<std::size_t> callOf(std::size_t token) const;
    void chooseToken();
    void chooseCall(std::size_t call);
    void showRange();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    QSettings& store;
    std::function<void(const std::vector<std::filesystem::path>&)> open;
    RunProcess process;
    QTemporaryDir folder;
    int runs = 0;
    std::filesystem::path trace;  ///< of the displayed text
    QString outcome;              ///< result of the generation
    visualizers::GeneratedTokens* generated;
    QToolBar* tools;
    QLabel* summary;
    GenerateForm* choices;
    visualizers::GeneratedText* words;
    QLabel* known;  ///< about the selected token
    visualizers::RatePlot* speed;
    GenerateMap* modules;  ///< time of each module at each position
    QAction* startAction = nullptr;
    QAction* stopAction = nullptr;
    QAction* colourAction = nullptr;
};

}  // namespace et::studio
