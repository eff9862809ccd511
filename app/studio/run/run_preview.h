#pragma once

#include "app/studio/background.h"
#include "app/studio/card_page.h"
#include "app/studio/run/run_request.h"
#include "inspector/findings/summary.h"
#include "inspector/session/session.h"

#include <memory>
#include <vector>

namespace et::studio {

/// Shown by the Run panel before its first run: what will run, its inputs and outputs, and known figures.
class RunPreview : public CardPage {
    Q_OBJECT

  public:
    explicit RunPreview(QWidget* parent = nullptr);

    /// Null: nothing is open.
    void setSession(const std::shared_ptr<const inspector::Session>& session);
    /// The selected options, with the session's files.
    void setRequest(const RunRequest& request);

    [[nodiscard]] bool busy() const { return reading.running(); }

  signals:
    void startWanted();
    void openWanted();

  private:
    using Figures = std::vector<inspector::KeyFigure>;
    void showFigures(const Figures& figures);

    std::shared_ptr<const inspector::Session> shown;
    Background<Figures> reading;
    std::size_t runCard;
    std::size_t valuesCard;
    std::size_t figuresCard;
};

}  // namespace et::studio
