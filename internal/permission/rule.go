package permission

// A Rule says what becomes of the targets that it matches: those of the
// requests whose permission matches Permission and whose text matches Pattern,
// both by [Match].
type Rule struct {
	Permission string `json:"permission"`
	Pattern    string `json:"pattern"`
	Action     Action `json:"action"`

	// Layer is the layer that the rule is of, and Source where in it the rule
	// was written: a file and line, a preset, a flag, a policy.
	Layer  LayerName `json:"layer,omitempty"`
	Source string    `json:"source,omitempty"`
}

// A LayerName names one of the ten layers of rules.
type LayerName string

// The layers, lowest first: of the rules that match, the last one decides.
const (
	LayerDefault       LayerName = "default"        // the default preset
	LayerManaged       LayerName = "managed"        // rules of bundles and of Rego policies
	LayerGlobalPreset  LayerName = "global-preset"  // permissionPreset of the global settings
	LayerGlobal        LayerName = "global"         // permission of the global settings
	LayerProjectPreset LayerName = "project-preset" // permissionPreset of the project's settings
	LayerProject       LayerName = "project"        // permission of the project's settings
	LayerAgent         LayerName = "agent"          // the agent's own rules, global then project
	LayerFlagPreset    LayerName = "flag-preset"    // --permission-preset
	LayerFlag          LayerName = "flag"           // --permission
	LayerApprovals     LayerName = "approvals"      // what people answered "always" to
)

// Layers are the layers' names, lowest first.
var Layers = []LayerName{
	LayerDefault, LayerManaged, LayerGlobalPreset, LayerGlobal, LayerProjectPreset,
	LayerProject, LayerAgent, LayerFlagPreset, LayerFlag, LayerApprovals,
}

// A Trust says who stands behind a layer. What a higher one demands, a lower
// one cannot take back.
type Trust string

// The trusts, from the lowest to the highest. The zero value is none of them
// and counts as [TrustNone].
const (
	TrustNone    Trust = "none"    // a project that nobody has trusted yet: it can only tighten
	TrustProject Trust = "project" // a project after permctl trust
	TrustUser    Trust = "user"    // the user's own settings and flags, and the default
	TrustManaged Trust = "managed" // bundles and policies of the organisation
)

// A Layer is an ordered list of rules with one source. Its rules are kept
// whole: layers are never merged into each other.
type Layer struct {
	Name  LayerName `json:"name"`
	Trust Trust     `json:"trust"`

	// Preset names the preset that the layer is, if it is one: its rules, and
	// whatever else its policy says of a call.
	Preset string `json:"preset,omitempty"`

	// Source is what the layer was read from: a file, or a flag.
	Source string `json:"source,omitempty"`

	Rules []Rule `json:"rules"`
}
