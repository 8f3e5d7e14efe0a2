# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The table of parameters as properties. Made by python/make_params.py; do not edit."""
from .parameter import Choice, Holder, Integer, Real, Switch, Vector


class WorldParams(Holder):
    """Parameters of the group world."""

    fps = Real(24.0, "Frames a second; one frame advances the simulation by timescale/fps.", unit='1/s', least=1.0, greatest=1000.0)
    substeps = Integer(4, "Time steps a frame. More substeps follow fast motion better and stretch less; each costs a full solve.", least=1.0, greatest=1000.0)
    timescale = Real(1.0, "Simulated seconds for each second of the shot: 0.5 is slow motion, 0 freezes.", least=0.0, greatest=100.0, animatable=True)
    gravity = Vector((0.0, -9.81, 0.0), "Acceleration of everything that is free.", unit='m/s^2', least=-1000.0, greatest=1000.0, animatable=True)
    wind = Vector((0.0, 0.0, 0.0), "Velocity of the air. It acts through the normal and tangent drag of each body.", unit='m/s', least=-200.0, greatest=200.0, animatable=True)
    windturbulence = Real(0.0, "Strength of gusts as a share of the wind's speed; 0 is a steady wind, 0.5 a lively one.", least=0.0, greatest=5.0, animatable=True)
    windscale = Real(1.0, "Size of the gusts. They travel with the wind.", unit='m', least=0.01, greatest=1000.0)
    airdensity = Real(1.2, "Density of the air; 0 is a vacuum, without wind or drag.", unit='kg/m^3', least=0.0, greatest=1000.0, animatable=True)


class SolverParams(Holder):
    """Parameters of the group solver."""

    method = Choice('automatic', ('gauss_seidel', 'jacobi', 'improved_jacobi', 'accelerated_jacobi', 'gauss_seidel_coloured', 'nesterov', 'chebyshev', 'minimum_residual', 'conjugate_residuals', 'projective', 'interleaved', 'multilevel', 'automatic'), "automatic takes multilevel, or gauss_seidel_coloured for soft bodies that are soft enough for it; multilevel keeps the length of a cloth at any resolution, by implicit steps on a hierarchy of coarser cloths; accelerated_jacobi solves all constraints at once, with momentum; gauss_seidel_coloured one colour after another, best at few iterations; gauss_seidel one by one (one thread, the reference); projective pulls every element to its nearest rest shape with one constant matrix, solved as globalstep says; interleaved takes implicit steps by conjugate gradients, with contacts between their iterations. The others are for comparison; docs/solvers.md measures them.")
    globalstep = Choice('jacobi', ('jacobi', 'gauss_seidel', 'gauss_seidel_coloured', 'red_black', 'direct', 'conjugate_gradients'), "How the projective method solves its matrix in each iteration. jacobi: all points at once; gauss_seidel_coloured: one colour of points after another, two where the mesh allows them; red_black: two, or the scene is refused; gauss_seidel: one by one (one thread, the reference); direct: exactly, by a factor made when the matrix changes, few iterations are enough; conjugate_gradients: for comparison.")
    chebyshev = Switch(True, "Accelerates the iterations of the projective method by Chebyshev's polynomials; sweeps of gauss_seidel then go forwards and backwards. Nothing for conjugate_gradients.")
    radiusestimate = Choice('spectrum', ('spectrum', 'ratio', 'power', 'tuned'), "Where the projective method has its spectral radius from when spectralradius is 0. spectrum: from the extreme eigenvalues of its matrix, measured when it changes; ratio: from what plain iterations leave of the error of the step; power: by a power iteration when the matrix changes; tuned: that which leaves the least of the error, tried in every 24th substep. direct always measures the ratio, in its first iterations.")
    scheme = Choice('pbd', ('pbd', 'sp'), "pbd solves for positions; sp adds velocityweight times the velocity of each constraint, which softens impacts.")
    iterations = Integer(20, "Iterations a substep, or the most of them when a tolerance is given.", least=1.0, greatest=100000.0)
    cycles = Integer(20, "Most cycles through the hierarchy in each linear solve of the multilevel method; it stops by itself when more would not be seen.", least=1.0, greatest=1000.0)
    secondorder = Switch(False, "Steps the multilevel method by BDF2 instead of implicit Euler: swings die away far more slowly, at the same cost.")
    cgtolerance = Real(0.001, "The interleaved method ends a substep when so much is left of its residual, or after iterations.", least=0.0, greatest=1.0)
    productorder = Integer(1, "The interleaved method takes products with its matrix as differences of forces, of first or second order; the second costs twice as much.", least=1.0, greatest=2.0)
    tolerance = Real(0.0, "Stop a substep when the largest stretch of any edge of a cloth is below this share of its length (0.01 is 1 %), and the strain by which the stress of any tetrahedron of a soft body is wrong (0.001 is well solved); 0 runs all iterations. A frame that misses it says so. The multilevel method stops by itself.", least=0.0, greatest=1.0)
    omega = Real(0.0, "Step of each iteration; 0 chooses it, in the way that relaxation says, or for projective from the spectrum. For gauss_seidel 0 is 1, and 1.2 to 1.5 converges faster.", least=0.0, greatest=2.0)
    relaxation = Choice('split', ('split', 'power', 'count'), "How omega is chosen when it is 0. split: for each constraint from the crowd at its ends, which converges on any mesh and mass ratio; power: one for all, by power iteration once in 24 substeps; count: one for all, from the most crowded constraint.")
    spectralradius = Real(0.0, "What chebyshev believes an iteration leaves of the error; 0 measures it: once in 24 substeps, or for projective as radiusestimate says. Too large rings or explodes.", least=0.0, greatest=0.9999)
    delay = Integer(1, "Plain iterations before chebyshev begins to accelerate.", least=0.0, greatest=1000.0)
    velocityweight = Real(0.1, "Share of the velocity error in the sp scheme.", least=0.0, greatest=1.0)
    momentumcap = Real(0.9, "Largest momentum of the accelerated solver. More converges faster at high iteration counts and rings at low ones.", least=0.0, greatest=0.999)
    boost = Switch(True, "Lengthen the step together with the momentum (omega (1 + beta)); off is the solver as published.")
    contactscheme = Choice('soft', ('soft', 'vts', 'sp', 'pbd'), "soft: slightly soft contacts in short substeps, then a pass that takes away the speed which pushing apart has left; piles rest, at the angle that friction says, whatever the iterations. vts, sp and pbd are the published schemes, for comparison.")
    contactmethod = Choice('gauss_seidel_coloured', ('gauss_seidel_coloured', 'gauss_seidel', 'jacobi', 'improved_jacobi', 'accelerated_jacobi'), "gauss_seidel_coloured solves contacts one colour after another; accelerated_jacobi all at once, with momentum, and needs twice the iterations; gauss_seidel one by one (one thread), jacobi and improved_jacobi are for comparison.")
    contactsubsteps = Integer(0, "Parts of a substep in which contacts are solved; contacts are looked for once a substep. 0 chooses as many as the smallest grain needs: 300 a second for 10 cm, 1000 for 1 cm. Piles are then the same for any number of substeps.", least=0.0, greatest=1000.0)
    contactiterations = Integer(2, "Passes over all contacts in each contact substep. Raise this before the substeps.", least=1.0, greatest=10000.0)
    contactrelax = Integer(2, "Passes that take away the speed left by pushing apart, in each contact substep of the soft scheme.", least=0.0, greatest=10000.0)
    contacthertz = Real(240.0, "Stiffness of soft contacts, as the frequency with which they would swing; at most 0.35 of the contact substeps a second is used.", unit='1/s', least=1.0, greatest=100000.0)
    contactdamping = Real(10.0, "Damping ratio of soft contacts.", least=0.0, greatest=1000.0)
    pushspeed = Real(3.0, "Greatest speed at which overlapping bodies are pushed apart.", unit='m/s', least=0.0, greatest=1000.0)
    contactmargin = Real(0.1, "Contacts are looked for up to this share of a grain's radius, and up to the way that bodies come nearer in the substep.", least=0.0, greatest=10.0)
    baumgarte = Real(0.5, "Share of an overlap that the vts scheme takes away in a step.", least=0.0, greatest=1.0)
    velocityiterations = Integer(0, "Passes on velocities alone before the positions move, in the sp scheme.", least=0.0, greatest=10000.0)
    frictionmodel = Choice('disc', ('disc', 'pyramid', 'cone', 'cone_corrected'), "disc is Coulomb's law, the same in all directions; pyramid is too strong along its diagonals; cone lifts what slides; cone_corrected takes that lift away again.")
    frictioncombine = Choice('average', ('average', 'minimum', 'maximum', 'multiply'), "How the friction of a contact follows from that of the two sides.")
    sleep = Switch(True, "Grains that have come to rest stop being solved until something pushes them.")
    sleepspeed = Real(0.001, "Grains slower than this may fall asleep.", unit='m/s', least=0.0, greatest=10.0)
    sleeptime = Real(0.5, "How long they must have been so slow.", unit='s', least=0.0, greatest=100.0)


class ClothParams(Holder):
    """Parameters of the group cloth."""

    preset = Choice('none', ('none', 'silk', 'cotton', 'denim', 'leather', 'rubber'), "Fabric whose values the cloth takes wherever the scene gives none of its own; docs/fabrics.md lists them with their sources.")
    density = Real(0.2, "Mass of a square metre of cloth: silk 0.07, cotton 0.12, denim 0.32, leather 0.56.", unit='kg/m^2', least=0.0001, greatest=1000.0, per_point=True)
    stretchstiffness = Real(10000000000.0, "Force that doubles a strip one metre wide, along the edges of the mesh. The default does not stretch.", unit='N/m', least=0.001, greatest=1000000000000.0, animatable=True, per_point=True)
    membrane = Choice('springs', ('springs', 'triangles'), "springs: along the edges of the mesh, the fastest; triangles: fibres along warp, weft and both biases of every triangle, the same fabric on any mesh.")
    weftstiffness = Real(0.0, "Stretch stiffness across the warp, for triangle membranes; 0 is the same as stretchstiffness.", unit='N/m', least=0.0, greatest=1000000000000.0, animatable=True)
    warpangle = Real(0.0, "Turns the warp against the u direction of uv; without uv, against the x axis laid onto the cloth.", unit='deg', least=-360.0, greatest=360.0)
    stretchdamping = Real(0.0, "Time over which stretching motion dies away; 0.001 calms, 0.1 is syrup.", unit='s', least=0.0, greatest=10.0, animatable=True)
    shearstiffness = Real(1000.0, "Resistance of quads against becoming diamonds, by springs along both diagonals; 0 leaves them out. Triangles have no shear springs of their own. Of a triangle membrane: its shear modulus.", unit='N/m', least=0.0, greatest=1000000000000.0, animatable=True, per_point=True)
    restscale = Real(1.0, "Size of the cloth at rest against its source: 0.9 shrinks it to nine tenths, keys shrink it over time.", least=0.01, greatest=100.0, animatable=True, per_point=True)
    strainlimit = Real(0.0, "Share of its length by which an edge may stretch at most, whatever pulls (0.1 is 10 %); 0 has no limit. For soft cloth that ends hard.", least=0.0, greatest=10.0)
    tearstretch = Real(0.0, "An edge that is longer than this times its rest length tears at one of its ends: 1.5 is half as long again; 0 never tears. With the method projective.", least=0.0, greatest=100.0)
    tethers = Switch(False, "Ties every point to its nearest pin by a rope that only pulls when it is taut. Keeps the length of a hanging cloth at few iterations.")
    tetherslack = Real(0.0, "Share by which a tether is longer than the way to the pin along the cloth.", least=0.0, greatest=1.0)
    bendmodel = Choice('quadratic', ('none', 'neighbour', 'dihedral', 'quadratic'), "quadratic: flat at rest, smooth and cheap, the same look at any resolution; dihedral: keeps the angles of the source mesh; neighbour: springs to the second neighbours of a quad mesh.")
    bendstiffness = Real(0.0001, "Resistance against folding: silk 2e-6, cotton 7e-6, denim 3e-5, leather 2e-4. For the neighbour model it is divided by the squared spacing.", unit='N m', least=0.0, greatest=1000000000.0, animatable=True, per_point=True)
    benddamping = Real(0.0, "Time over which folding motion dies away.", unit='s', least=0.0, greatest=10.0, animatable=True)
    creaseangle = Real(0.0, "A fold that turns further than this against its rest stays as a crease (dihedral model); 0 never creases.", unit='deg', least=0.0, greatest=180.0, animatable=True)
    creasetime = Real(0.5, "Time in which a held fold becomes a crease.", unit='s', least=0.001, greatest=1000.0)
    pressure = Real(0.0, "Overpressure behind the faces: pushes along their normals, towards whoever sees their corners run counter-clockwise, and inflates a closed cloth.", unit='Pa', least=-1000000.0, greatest=1000000.0, animatable=True)
    normaldrag = Real(1.0, "Drag coefficient of air that hits the cloth square on; a flat plate has 1.2.", least=0.0, greatest=100.0, animatable=True, per_point=True)
    tangentdrag = Real(0.05, "Drag coefficient of air that slides along the cloth.", least=0.0, greatest=100.0, animatable=True, per_point=True)
    friction = Real(0.25, "Friction coefficient while a contact sticks. A pile of grains that do not rotate rests at 10 degrees for 0.1, 25 for 0.2, 41 for 0.3, 52 for 0.4.", least=0.0, greatest=100.0, animatable=True)
    dynamicfriction = Real(1.0, "Friction while a contact slides, as a share of friction.", least=0.0, greatest=1.0, animatable=True)
    restitution = Real(0.0, "Share of the speed of an impact with which bodies part again.", least=0.0, greatest=1.0, animatable=True)
    thickness = Real(0.01, "Distance that the cloth keeps from what it touches.", unit='m', least=0.0, greatest=10.0)
    selfcollision = Switch(False, "The cloth collides with itself, and with every other cloth that has this on. Two cloths keep the sum of their thicknesses apart.")
    layer = Integer(0, "Order of cloths that begin tangled: those of a higher layer are pushed out to the side that the faces of a lower one look to.", least=-1000.0, greatest=1000.0)
    veldamping = Real(0.0, "Share of its velocity that the cloth loses a second, wherever it goes.", unit='1/s', least=0.0, greatest=1000.0, animatable=True)


class GrainParams(Holder):
    """Parameters of the group grain."""

    radius = Real(0.02, "Mean radius of a grain. A point attribute pscale of a file is the radius itself.", unit='m', least=1e-06, greatest=1000.0)
    radiusvariance = Real(0.0, "Spread of the radii as a share of the mean: their standard deviation, or for the uniform distribution the greatest difference.", least=0.0, greatest=10.0)
    radiusdistribution = Choice('uniform', ('uniform', 'normal', 'lognormal'), "How the radii spread; normal and lognormal end at three standard deviations.")
    density = Real(2000.0, "Mass of a cubic metre of a grain itself: quartz 2650, water 1000, loose snow 100.", unit='kg/m^3', least=0.001, greatest=1000000.0, per_point=True)
    friction = Real(0.25, "Friction coefficient while a contact sticks. A pile of grains that do not rotate rests at 10 degrees for 0.1, 25 for 0.2, 41 for 0.3, 52 for 0.4.", least=0.0, greatest=100.0, animatable=True)
    dynamicfriction = Real(1.0, "Friction while a contact slides, as a share of friction.", least=0.0, greatest=1.0, animatable=True)
    restitution = Real(0.0, "Share of the speed of an impact with which bodies part again.", least=0.0, greatest=1.0, animatable=True)
    rotation = Switch(False, "Grains roll. Without it they slide as rough grains do, piles are steeper and the solver is faster.")
    rollingfriction = Real(0.0, "Torque that holds a rolling grain back, as a share of the force on its contact times its radius.", least=0.0, greatest=10.0, animatable=True)
    cohesion = Real(0.0, "Pull with which touching grains hold each other, per cross-section of the smaller one; wet sand of 1 cm grains needs some 1000.", unit='Pa', least=0.0, greatest=1000000000.0, animatable=True)
    veldamping = Real(0.0, "Share of its velocity that a grain loses a second, wherever it goes.", unit='1/s', least=0.0, greatest=1000.0, animatable=True)
    startasleep = Switch(False, "Grains sleep at the start until something pushes them.")


class SoftParams(Holder):
    """Parameters of the group soft."""

    density = Real(1000.0, "Mass of a cubic metre: flesh 1000, rubber 1100, foam 30.", unit='kg/m^3', least=0.001, greatest=1000000.0, per_point=True)
    material = Choice('neohookean', ('neohookean', 'corotated', 'stvk'), "neohookean: rubber and flesh, keeps its volume best and comes back from anything; corotated: the cheapest look of jelly; stvk: St Venant-Kirchhoff, softens when it is squeezed.")
    youngsmodulus = Real(100000.0, "Stiffness of the material: jelly 1e4, flesh 5e4, rubber 1e6, wood 1e10. It does not depend on the mesh, the iterations or the time step.", unit='Pa', least=1.0, greatest=1000000000000.0, animatable=True, per_point=True)
    poissonratio = Real(0.4, "How much it narrows when it is pulled: cork 0, foam 0.2, flesh 0.45; 0.49 keeps its volume.", least=0.0, greatest=0.499, animatable=True)
    fibrestiffness = Real(0.0, "Further stiffness along fibredirection, as of muscle or wood.", unit='Pa', least=0.0, greatest=1000000000000.0, animatable=True)
    fibredirection = Vector((0.0, 1.0, 0.0), "Direction of the fibres in the body as it is at the start; a point attribute fibre goes before it.", least=-1000000.0, greatest=1000000.0)
    stiffdamping = Real(0.0, "Time over which wobbling dies away, the faster the finer it is; 0.001 calms, 0.1 is dough.", unit='s', least=0.0, greatest=10.0, animatable=True)
    plasticyield = Real(0.0, "Strain beyond which a deformation stays (0.1 is 10 %); 0 always comes back.", least=0.0, greatest=10.0, animatable=True)
    plastictime = Real(0.1, "Time in which strain beyond the yield flows away.", unit='s', least=0.001, greatest=1000.0, animatable=True)
    plasticlimit = Real(1.0, "Greatest strain that stays.", least=0.0, greatest=100.0, animatable=True)
    restscale = Real(1.0, "Size of the body at rest against its source; keys let it grow or shrink.", least=0.01, greatest=100.0, animatable=True)
    smoothing = Choice('edges', ('none', 'edges'), "Tetrahedra alone are too stiff in bending, the more the fewer there are. edges averages the strain around every edge, which takes nearly all of that away (multilevel method); none is plain tetrahedra, two to three times faster.")
    pressure = Real(0.0, "Pushes the surface out, or in when negative.", unit='Pa', least=-1000000000.0, greatest=1000000000.0, animatable=True)
    normaldrag = Real(0.5, "Drag coefficient of air that hits the surface square on.", least=0.0, greatest=100.0, animatable=True)
    tangentdrag = Real(0.0, "Drag coefficient of air that slides along the surface.", least=0.0, greatest=100.0, animatable=True)
    friction = Real(0.25, "Friction coefficient while a contact sticks. A pile of grains that do not rotate rests at 10 degrees for 0.1, 25 for 0.2, 41 for 0.3, 52 for 0.4.", least=0.0, greatest=100.0, animatable=True)
    dynamicfriction = Real(1.0, "Friction while a contact slides, as a share of friction.", least=0.0, greatest=1.0, animatable=True)
    restitution = Real(0.0, "Share of the speed of an impact with which bodies part again.", least=0.0, greatest=1.0, animatable=True)
    thickness = Real(0.005, "Distance that the surface keeps from what it touches.", unit='m', least=0.0, greatest=10.0)
    selfcollision = Switch(False, "The surface collides with itself, and with every other soft body or cloth that has this on.")
    veldamping = Real(0.0, "Share of its velocity that the body loses a second, wherever it goes.", unit='1/s', least=0.0, greatest=1000.0, animatable=True)


class RigidParams(Holder):
    """Parameters of the group rigid."""

    density = Real(1000.0, "Mass of a cubic metre: wood 600, brick 1900, steel 7850.", unit='kg/m^3', least=0.001, greatest=1000000.0)
    friction = Real(0.25, "Friction coefficient while a contact sticks. A pile of grains that do not rotate rests at 10 degrees for 0.1, 25 for 0.2, 41 for 0.3, 52 for 0.4.", least=0.0, greatest=100.0, animatable=True)
    dynamicfriction = Real(1.0, "Friction while a contact slides, as a share of friction.", least=0.0, greatest=1.0, animatable=True)
    restitution = Real(0.0, "Share of the speed of an impact with which bodies part again.", least=0.0, greatest=1.0, animatable=True)
    animated = Switch(False, "Pieces go where their keys say and push what they meet; nothing pushes them.")
    gyroscopic = Switch(True, "Long bodies tumble as they turn. Off, they keep turning about one axis.")
    veldamping = Real(0.0, "Share of its velocity that a piece loses a second.", unit='1/s', least=0.0, greatest=1000.0, animatable=True)
    spindamping = Real(0.0, "Share of its turning that a piece loses a second.", unit='1/s', least=0.0, greatest=1000.0, animatable=True)
    startasleep = Switch(False, "Pieces sleep at the start until something pushes them.")


class JointParams(Holder):
    """Parameters of the group joint."""

    compliance = Real(0.0, "How far the joint gives way for a newton; 0 is hard. A spring of k N/m has 1/k.", unit='m/N', least=0.0, greatest=1000000.0, animatable=True)
    damping = Real(0.0, "Force against the speed with which a joint that has compliance gives way.", unit='N s/m', least=0.0, greatest=1000000000.0, animatable=True)
    restlength = Real(-1.0, "Length of a distance joint; -1 is that at the start.", unit='m', least=-1.0, greatest=1000000.0, animatable=True)
    limited = Switch(False, "A hinge turns and a slider goes only from lower to upper; a distance joint keeps between them.")
    lower = Real(0.0, "Least angle of a hinge [degrees], way of a slider or length of a distance joint [m].", unit='deg or m', least=-1000000.0, greatest=1000000.0, animatable=True)
    upper = Real(0.0, "Greatest angle of a hinge [degrees], way of a slider or length of a distance joint [m].", unit='deg or m', least=-1000000.0, greatest=1000000.0, animatable=True)
    coneangle = Real(180.0, "How far the axis of a spherical joint may lean; 180 is free.", unit='deg', least=0.0, greatest=180.0, animatable=True)
    twistangle = Real(180.0, "How far a spherical joint may turn about its axis to either side; 180 is free.", unit='deg', least=0.0, greatest=180.0, animatable=True)
    motor = Choice('none', ('none', 'velocity', 'position'), "What drives a hinge or a slider: towards a speed, or towards a place.")
    motortarget = Real(0.0, "Speed [degrees or metres a second] or place [degrees or metres] that the motor wants.", unit='deg or m', least=-1000000.0, greatest=1000000.0, animatable=True)
    motorforce = Real(0.0, "Greatest force of a slider's motor, greatest torque of a hinge's.", unit='N or N m', least=0.0, greatest=1000000000.0, animatable=True)
    breakforce = Real(0.0, "Force that breaks the joint for good; 0 never breaks.", unit='N', least=0.0, greatest=1000000000000.0, animatable=True)
    breaktorque = Real(0.0, "Torque that breaks the joint for good; 0 never breaks.", unit='N m', least=0.0, greatest=1000000000000.0, animatable=True)
    collide = Switch(False, "The two bodies of the joint can touch each other.")


class ColliderParams(Holder):
    """Parameters of the group collider."""

    friction = Real(0.25, "Friction coefficient while a contact sticks. A pile of grains that do not rotate rests at 10 degrees for 0.1, 25 for 0.2, 41 for 0.3, 52 for 0.4.", least=0.0, greatest=100.0, animatable=True)
    dynamicfriction = Real(1.0, "Friction while a contact slides, as a share of friction.", least=0.0, greatest=1.0, animatable=True)
    restitution = Real(0.0, "Share of the speed of an impact with which bodies part again.", least=0.0, greatest=1.0, animatable=True)
    rollingfriction = Real(0.0, "Torque that holds back a grain that rolls on it, as a share of the force times the grain's radius.", least=0.0, greatest=10.0, animatable=True)
    cohesion = Real(0.0, "Pull with which touching grains stick to it, per cross-section of the grain.", unit='Pa', least=0.0, greatest=1000000000.0, animatable=True)
